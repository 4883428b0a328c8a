package io.spyhop.cli.output;

import io.spyhop.bench.remix.RemixReport;
import io.spyhop.bench.remix.RemixReport.Micro;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;

/** The figures of {@code spyhop bench remix} as plots, each a piece of SVG. Stateless. */
final class RemixCharts {
  private static final List<String> SIDES =
      List.of(RemixReport.VIEW, RemixReport.HEAP, RemixReport.COMPACTED);

  private RemixCharts() {}

  /** Seeks by the number of HFiles, for each encoding and read; bytes written. */
  static List<String> all(RemixReport r) throws IOException {
    List<String> plots = new ArrayList<>();
    List<String> encodings = r.micro().stream().map(Micro::encoding).distinct().toList();
    for (String encoding : encodings) {
      for (String op : r.micro().stream().map(Micro::op).distinct().toList()) {
        List<Micro> shown =
            r.micro().stream()
                .filter(m -> m.encoding().equals(encoding) && m.op().equals(op))
                .filter(m -> m.via().equals(RemixReport.PROCESS))
                .toList();
        if (!shown.isEmpty()) {
          plots.add(Plots.svg(seeks(op + ", " + encoding, shown)));
        }
      }
    }
    plots.add(Plots.svg(written(r)));
    return plots;
  }

  private static CategoryChart seeks(String title, List<Micro> measured) {
    CategoryChart chart = Plots.chart(title, "us");
    chart.setXAxisTitle("HFiles");
    List<Integer> runs = measured.stream().map(Micro::runs).distinct().sorted().toList();
    for (String side : SIDES) {
      List<Double> us =
          runs.stream()
              .map(
                  n ->
                      measured.stream()
                          .filter(m -> m.runs() == n && m.side().equals(side))
                          .map(Micro::us)
                          .findFirst()
                          .orElse(null))
              .toList();
      if (us.stream().anyMatch(u -> u != null)) {
        chart.addSeries(side, runs, us);
      }
    }
    return chart;
  }

  private static CategoryChart written(RemixReport r) {
    CategoryChart chart = Plots.chart("Compacting less", "bytes written / put");
    List<String> settings = r.compaction().stream().map(RemixReport.Compaction::setting).toList();
    chart.addSeries(
        "written",
        settings,
        r.compaction().stream().map(c -> (double) c.bytes_written() / c.bytes_put()).toList());
    return chart;
  }
}
