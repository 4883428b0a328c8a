package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import java.io.IOException;

/** The figures of {@code spyhop bench deli} as one HTML page. Stateless. */
public final class DeliHtml {
  private DeliHtml() {}

  /**
   * The page.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static String page(DeliReport report) throws IOException {
    HtmlPage.prepare();
    return HtmlPage.of(
        "bench deli",
        "Deferred and synchronous maintenance of global indexes",
        DeliTables.all(report),
        DeliCharts.all(report),
        report.settings());
  }
}
