package io.spyhop.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * One of a paper's figures or tables.
 *
 * @param title what it shows
 * @param table its numbers
 */
record TitledTable(String title, TextTable table) {
  /** All of them as text, one after the other. */
  static List<String> lines(List<TitledTable> tables) {
    List<String> lines = new ArrayList<>();
    for (TitledTable t : tables) {
      lines.add(t.title());
      t.table().lines().forEach(l -> lines.add("  " + l));
      lines.add("");
    }
    return lines;
  }
}
