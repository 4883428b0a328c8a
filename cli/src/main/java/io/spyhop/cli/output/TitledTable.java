package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers, such as those of one of a paper's figures.
 *
 * @param title what it shows
 * @param table its numbers
 */
public record TitledTable(String title, TextTable table) {
  /** A line for each row. */
  static TitledTable of(String title, List<Row> rows, Column... columns) {
    TextTable table =
        new TextTable(Arrays.stream(columns).map(Column::title).toArray(String[]::new));
    rows.forEach(row -> table.add(Arrays.stream(columns).map(c -> c.cell().apply(row)).toArray()));
    return new TitledTable(title, table);
  }

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
