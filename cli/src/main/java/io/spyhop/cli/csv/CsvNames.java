package io.spyhop.cli.csv;

import java.util.List;
import java.util.Optional;

/**
 * The names of a file's columns, as far as the user says them.
 *
 * @param header the names of the fields of a file that has no header line; empty if it has one
 * @param key the name of the field that is the row key; the first field where it is not said
 * @param family of all columns, whose qualifiers are the names as they are; where it is not said,
 *     each name is {@code family:qualifier}
 * @param columns the names of the fields that are stored, each perhaps followed by {@code =} and
 *     another name to store it by; empty for all
 */
public record CsvNames(
    List<String> header, Optional<String> key, Optional<String> family, List<String> columns) {
  /** A file whose header says all. */
  public static final CsvNames IN_THE_FILE =
      new CsvNames(List.of(), Optional.empty(), Optional.empty(), List.of());

  /** Copies the lists. */
  public CsvNames {
    header = List.copyOf(header);
    columns = List.copyOf(columns);
  }
}
