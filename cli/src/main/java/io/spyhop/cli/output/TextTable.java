package io.spyhop.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Aligns columns of text: left by default, right where asked. Not thread-safe. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String> header;
  private final boolean[] right;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param header the columns' titles; a title that starts with {@code >} (which is not shown)
   *     aligns its column to the right
   */
  public TextTable(String... header) {
    this.header = Arrays.stream(header).map(h -> h.startsWith(">") ? h.substring(1) : h).toList();
    this.right = new boolean[header.length];
    for (int i = 0; i < header.length; i++) {
      right[i] = header[i].startsWith(">");
    }
  }

  /** Adds a line. */
  public void add(Object... cells) {
    if (cells.length != right.length) {
      throw new IllegalArgumentException(cells.length + " cells for " + right.length + " columns");
    }
    rows.add(Arrays.stream(cells).map(String::valueOf).toList());
  }

  List<String> header() {
    return header;
  }

  List<List<String>> rows() {
    return rows;
  }

  boolean isRight(int column) {
    return right[column];
  }

  /** The lines, header first, without line ends. */
  public List<String> lines() {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    int[] widths = new int[right.length];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return all.stream().map(row -> line(row, widths)).collect(Collectors.toList());
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - row.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(right[i] ? padding + row.get(i) : row.get(i) + padding);
    }
    return line.toString().stripTrailing();
  }
}
