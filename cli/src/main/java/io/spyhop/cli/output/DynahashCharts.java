package io.spyhop.cli.output;

import io.spyhop.bench.dynahash.DynahashReport;
import io.spyhop.bench.dynahash.DynahashReport.Overhead;
import io.spyhop.bench.dynahash.DynahashReport.Rebalance;
import io.spyhop.bench.dynahash.DynahashReport.UnderLoad;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** The figures of {@code spyhop bench dynahash} as plots, each a piece of SVG. Stateless. */
final class DynahashCharts {
  private static final double MEGABYTE = 1e6;

  /** Degrees, as names of works are long. */
  private static final int LABELS = 45;

  private DynahashCharts() {}

  /** The paper's Figures 6 to 9, as far as they were measured. */
  static List<String> all(DynahashReport r) throws IOException {
    List<String> plots = new ArrayList<>();
    if (!r.rebalance().isEmpty()) {
      plots.add(Plots.svg(changes("Rebalancing", "s", r.rebalance(), Rebalance::seconds)));
      plots.add(
          Plots.svg(
              changes("What is moved", "MB", r.rebalance(), x -> x.bytes_moved() / MEGABYTE)));
    }
    if (!r.overhead().isEmpty()) {
      plots.add(Plots.svg(overhead(r.overhead())));
    }
    if (!r.under_load().isEmpty()) {
      plots.add(Plots.svg(seconds(r.under_load())));
      plots.add(Plots.svg(latencies(r.under_load())));
    }
    return plots;
  }

  /** One bar for each scheme, beside each other for each change. */
  private static CategoryChart changes(
      String title, String unit, List<Rebalance> measured, ToDoubleFunction<Rebalance> value) {
    CategoryChart chart = Plots.chart(title, unit);
    List<String> changes = measured.stream().map(Rebalance::change).distinct().toList();
    for (String scheme : measured.stream().map(Rebalance::scheme).distinct().toList()) {
      chart.addSeries(
          scheme, changes, changes.stream().map(c -> of(measured, scheme, c, value)).toList());
    }
    return chart;
  }

  /** Null, which is no bar, if it was not measured. */
  private static Double of(
      List<Rebalance> measured, String scheme, String change, ToDoubleFunction<Rebalance> value) {
    return measured.stream()
        .filter(r -> r.scheme().equals(scheme) && r.change().equals(change))
        .map(value::applyAsDouble)
        .findFirst()
        .orElse(null);
  }

  private static CategoryChart overhead(List<Overhead> measured) {
    CategoryChart chart = Plots.chart("A bucketed table against a plain one", "time / time");
    List<String> works = measured.stream().map(Overhead::work).toList();
    chart.getStyler().setXAxisLabelRotation(LABELS);
    chart.addSeries("bucketed / plain", works, measured.stream().map(Overhead::ratio).toList());
    return chart;
  }

  private static CategoryChart seconds(List<UnderLoad> measured) {
    CategoryChart chart = Plots.chart("Removing a server beside writers", "s");
    chart.setXAxisTitle("share of the largest write rate");
    chart.addSeries(
        "rebalance", shares(measured), measured.stream().map(UnderLoad::seconds).toList());
    return chart;
  }

  private static CategoryChart latencies(List<UnderLoad> measured) {
    CategoryChart chart = Plots.chart("Queries, 99th percentile", "ms");
    chart.setXAxisTitle("share of the largest write rate");
    chart.addSeries(
        "before", shares(measured), measured.stream().map(UnderLoad::query_p99_before_ms).toList());
    chart.addSeries(
        "during", shares(measured), measured.stream().map(UnderLoad::query_p99_during_ms).toList());
    chart.addSeries(
        "after", shares(measured), measured.stream().map(UnderLoad::query_p99_after_ms).toList());
    return chart;
  }

  private static List<Double> shares(List<UnderLoad> measured) {
    return measured.stream().map(UnderLoad::write_share).toList();
  }
}
