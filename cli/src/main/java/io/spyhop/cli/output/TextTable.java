package io.spyhop.cli.output;

import com.google.common.base.CharMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Aligns columns of text: left by default, right where asked. Not thread-safe. */
public final class TextTable {
  private static final String GAP = "  ";
  private static final CharMatcher SIGNS = CharMatcher.anyOf("~>");

  private final List<String> header;
  private final boolean[] right;
  private final List<List<String>> rows = new ArrayList<>();

  private final boolean[] detail;

  /**
   * @param header the columns' titles; a title that starts with {@code >} aligns its column to the
   *     right, one that starts with {@code ~} is of a detail, which a narrow table does without;
   *     {@code ~>} does both. The signs are not shown
   */
  public TextTable(String... header) {
    this.header = Arrays.stream(header).map(SIGNS::trimLeadingFrom).toList();
    this.right = new boolean[header.length];
    this.detail = new boolean[header.length];
    for (int i = 0; i < header.length; i++) {
      detail[i] = header[i].startsWith("~");
      right[i] = header[i].startsWith(detail[i] ? "~>" : ">");
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
    return lines(Integer.MAX_VALUE);
  }

  /**
   * The same lines.
   *
   * @param width that they have at most, if leaving out details makes them so narrow; the widest go
   *     first
   */
  public List<String> lines(int width) {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    int[] widths = new int[right.length];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<Integer> shown = new ArrayList<>(IntStream.range(0, widths.length).boxed().toList());
    while (shown.stream().mapToInt(i -> widths[i] + GAP.length()).sum() - GAP.length() > width
        && shown.stream().anyMatch(i -> detail[i])) {
      shown.stream()
          .filter(i -> detail[i])
          .max(Comparator.comparingInt(i -> widths[i]))
          .ifPresent(shown::remove);
    }
    return all.stream().map(row -> line(row, shown, widths)).collect(Collectors.toList());
  }

  private String line(List<String> row, List<Integer> shown, int[] widths) {
    return shown.stream()
        .map(
            i -> {
              String padding = " ".repeat(widths[i] - row.get(i).length());
              return right[i] ? padding + row.get(i) : row.get(i) + padding;
            })
        .collect(Collectors.joining(GAP))
        .stripTrailing();
  }
}
