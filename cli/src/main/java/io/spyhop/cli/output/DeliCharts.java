package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import io.spyhop.bench.deli.DeliReport.PerMode;
import io.spyhop.bench.deli.DeliReport.Rates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** The figures of {@code spyhop bench deli} as plots, each a piece of SVG. Stateless. */
final class DeliCharts {
  private static final List<String> MODES = List.of("none", "deferred", "sync");
  private static final List<String> COMPACTIONS = List.of("none", "streaming", "staged", "before");

  private DeliCharts() {}

  /** All plots, in the order of the paper's figures. */
  static List<String> all(DeliReport r) throws IOException {
    List<String> plots = new ArrayList<>();
    plots.add(Plots.svg(writes(r)));
    plots.add(Plots.svg(writeLatency(r)));
    plots.add(
        Plots.svg(
            mixed(
                r,
                "Figure 8a: throughput",
                "operations/s",
                m -> m.deferredOps(),
                m -> m.syncOps())));
    plots.add(
        Plots.svg(
            mixed(
                r,
                "Figure 8b: p99 of reads",
                "ms",
                m -> m.deferredMs().readP99(),
                m -> m.syncMs().readP99())));
    plots.add(
        Plots.svg(
            mixed(
                r,
                "Figure 8b: p99 of puts",
                "ms",
                m -> m.deferredMs().writeP99(),
                m -> m.syncMs().writeP99())));
    plots.add(
        Plots.svg(compactions(r, "Figure 9a: compaction", "s", DeliReport.Compaction::seconds)));
    plots.add(
        Plots.svg(
            compactions(
                r,
                "Figure 9b: compaction",
                "data blocks read",
                DeliReport.Compaction::blockReads)));
    return plots;
  }

  private static CategoryChart writes(DeliReport r) {
    CategoryChart chart = Plots.chart("Figure 7a: writing", "puts/s");
    chart.addSeries("batches of 100", MODES, values(r.write()));
    chart.addSeries("until no delete pends", MODES, values(r.writeDrained()));
    chart.addSeries("single puts", MODES, values(r.singles().write()));
    return chart;
  }

  private static CategoryChart writeLatency(DeliReport r) {
    CategoryChart chart = Plots.chart("Figure 7b: latency of a call", "ms");
    chart.addSeries("batch p50", MODES, values(r.p50Ms()));
    chart.addSeries("batch p99", MODES, values(r.p99Ms()));
    chart.addSeries("single put p50", MODES, values(r.singles().p50Ms()));
    chart.addSeries("single put p99", MODES, values(r.singles().p99Ms()));
    return chart;
  }

  private static CategoryChart mixed(
      DeliReport r,
      String title,
      String unit,
      ToDoubleFunction<DeliReport.Mixed> deferred,
      ToDoubleFunction<DeliReport.Mixed> sync) {
    CategoryChart chart = Plots.chart(title, unit);
    chart.setXAxisTitle("share of reads");
    List<String> ratios = r.mixed().stream().map(m -> String.valueOf(m.readRatio())).toList();
    chart.addSeries("deferred", ratios, r.mixed().stream().map(deferred::applyAsDouble).toList());
    chart.addSeries("sync", ratios, r.mixed().stream().map(sync::applyAsDouble).toList());
    return chart;
  }

  private static CategoryChart compactions(
      DeliReport r, String title, String unit, ToDoubleFunction<DeliReport.Compaction> figure) {
    CategoryChart chart = Plots.chart(title, unit);
    for (String dataset : List.of("single", "multi")) {
      List<Double> values = new ArrayList<>();
      for (String mode : COMPACTIONS) {
        r.compaction().stream()
            .filter(c -> c.dataset().equals(dataset) && c.mode().equals(mode))
            .mapToDouble(figure)
            .forEach(values::add);
      }
      chart.addSeries(dataset + " version", COMPACTIONS, values);
    }
    return chart;
  }

  private static List<Double> values(Rates r) {
    return List.of(r.noneOps(), r.deferredOps(), r.syncOps());
  }

  private static List<Double> values(PerMode m) {
    return List.of(m.none(), m.deferred(), m.sync());
  }
}
