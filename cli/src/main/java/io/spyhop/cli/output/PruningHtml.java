package io.spyhop.cli.output;

import io.spyhop.bench.pruning.PruningReport;
import java.io.IOException;

/** The figures of {@code spyhop bench pruning} as one HTML page. Stateless. */
public final class PruningHtml {
  private PruningHtml() {}

  /**
   * The page.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static String page(PruningReport report) throws IOException {
    HtmlPage.prepare();
    return HtmlPage.of(
        "bench pruning",
        "Partition pruning: regions that cannot answer are not asked",
        PruningTables.all(report),
        PruningCharts.all(report),
        report.settings());
  }
}
