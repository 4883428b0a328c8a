package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The figures of {@code spyhop bench deli} as a part of a page. Stateless. */
public final class DeliSection {
  private DeliSection() {}

  /**
   * The part.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static Section of(DeliReport report) throws IOException {
    HtmlPage.prepare();
    List<TitledTable> tables = new ArrayList<>();
    tables.add(new TitledTable("Beside the paper", PaperFigures.deli(report)));
    tables.addAll(DeliTables.all(report));
    return new Section(
        "Deferred and synchronous maintenance of global indexes",
        "bench deli",
        tables,
        DeliCharts.all(report),
        report.settings());
  }
}
