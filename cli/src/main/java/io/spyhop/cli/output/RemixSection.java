package io.spyhop.cli.output;

import io.spyhop.bench.order.OrderReport;
import io.spyhop.bench.remix.RemixReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The figures of {@code spyhop bench remix} and {@code order} as parts of a page. Stateless. */
public final class RemixSection {
  private RemixSection() {}

  /**
   * Sorted views.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static Section of(RemixReport report) throws IOException {
    HtmlPage.prepare();
    return new Section(
        "Sorted views: many HFiles scan like one",
        "bench remix",
        RemixTables.all(report),
        RemixCharts.all(report),
        report.settings());
  }

  /** Rows in the order of values. */
  public static Section of(OrderReport report) {
    return new Section(
        "Rows in the order of an index",
        "bench order",
        List.of(RemixTables.top(report.top10())),
        List.of(),
        Map.of("rows", report.rows(), "regions", report.regions()));
  }
}
