package io.spyhop.cli.output;

import io.spyhop.bench.pruning.PruningReport;
import java.io.IOException;

/** The figures of {@code spyhop bench pruning} as a part of a page. Stateless. */
public final class PruningSection {
  private PruningSection() {}

  /**
   * The part.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static Section of(PruningReport report) throws IOException {
    HtmlPage.prepare();
    return new Section(
        "Partition pruning: regions that cannot answer are not asked",
        "bench pruning",
        PruningTables.all(report),
        PruningCharts.all(report),
        report.settings());
  }
}
