package io.spyhop.cli.output;

import io.spyhop.bench.mdrq.BenchReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The figures of {@code spyhop bench mdrq} as a part of a page. Stateless. */
public final class MdrqSection {
  private MdrqSection() {}

  /**
   * The part.
   *
   * @throws IOException if a plot cannot be drawn
   */
  public static Section of(BenchReport report) throws IOException {
    HtmlPage.prepare();
    List<TitledTable> tables = new ArrayList<>();
    tables.add(new TitledTable("Beside the paper", PaperFigures.lcindex(report)));
    tables.addAll(MdrqTables.all(report));
    Map<String, Object> settings = new TreeMap<>();
    settings.put("rows", report.rows());
    settings.put("regions", report.regions());
    return new Section(
        "Multi-dimensional range queries through local indexes",
        "bench mdrq",
        tables,
        MdrqCharts.all(report),
        settings);
  }
}
