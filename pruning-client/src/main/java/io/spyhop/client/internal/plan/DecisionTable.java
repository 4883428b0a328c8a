package io.spyhop.client.internal.plan;

import com.google.common.base.Strings;
import io.spyhop.client.RegionDecision;
import io.spyhop.client.internal.exec.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shows decisions about regions as an aligned table, one line a region. Stateless, thread-safe. */
public final class DecisionTable {
  private static final List<String> TITLES =
      List.of("region", "reads", "rows", "statistics", "reason");

  private static final int STATISTICS = TITLES.indexOf("statistics");
  private static final String GAP = "  ";

  private DecisionTable() {}

  /**
   * The table, a line of titles first, every line ended by a newline.
   *
   * @param width that lines have at most, if leaving out the statistics makes them so narrow
   */
  public static String of(List<RegionDecision> decisions, int width) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(TITLES);
    decisions.forEach(d -> lines.add(line(d)));
    int[] widths = new int[TITLES.size()];
    for (List<String> line : lines) {
      Arrays.setAll(widths, i -> Math.max(widths[i], line.get(i).length()));
    }
    boolean whole = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) <= width;
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(align(line, widths, whole)).append('\n'));
    return text.toString();
  }

  private static List<String> line(RegionDecision d) {
    return List.of(
        d.region().isEmpty() ? "?" : d.region(),
        switch (d.state()) {
          case NR -> "nothing (NR)";
          case RS -> "files (RS)";
          case RSM -> "all (RSM)";
        },
        new RowRange(d.startKey(), d.endKey()).toString(),
        d.statistics().isEmpty() ? "-" : d.statistics(),
        d.reason());
  }

  private static String align(List<String> line, int[] widths, boolean whole) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (whole || i != STATISTICS) {
        text.append(i == 0 ? "" : GAP).append(Strings.padEnd(line.get(i), widths[i], ' '));
      }
    }
    return text.toString().stripTrailing();
  }
}
