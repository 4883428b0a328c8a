package io.spyhop.cli.csv;

import java.util.List;

/**
 * One record of a file.
 *
 * @param number the line that it begins at, from 1
 * @param fields its fields, unquoted; each char is one byte of the file
 */
record CsvLine(long number, List<String> fields) {
  CsvLine {
    fields = List.copyOf(fields);
  }

  /** An empty line, which means nothing. */
  boolean isBlank() {
    return fields.size() == 1 && fields.get(0).isEmpty();
  }
}
