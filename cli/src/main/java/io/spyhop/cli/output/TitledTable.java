package io.spyhop.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers, such as those of one of a paper's figures.
 *
 * @param title what it shows
 * @param table its numbers
 */
public record TitledTable(String title, TextTable table) {
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
