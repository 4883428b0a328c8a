package io.spyhop.cli.output;

import io.spyhop.bench.dynahash.DynahashReport;
import java.io.IOException;

/** The figures of {@code spyhop bench dynahash} as a part of a page. Stateless. */
final class DynahashSection {
  private DynahashSection() {}

  /**
   * Bucketed tables.
   *
   * @throws IOException if a plot cannot be drawn
   */
  static Section of(DynahashReport report) throws IOException {
    HtmlPage.prepare();
    return new Section(
        "Bucketed tables: little moves when a server goes or comes",
        "bench dynahash",
        DynahashTables.all(report),
        DynahashCharts.all(report),
        report.settings());
  }
}
