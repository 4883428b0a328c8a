package io.spyhop.cli.output;

import io.spyhop.bench.mdrq.BenchQuery;
import io.spyhop.bench.mdrq.BenchReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;

/** The figures of {@code spyhop bench mdrq} as plots, each a piece of SVG. Stateless. */
final class MdrqCharts {
  private MdrqCharts() {}

  /** One for each state that was asked. */
  static List<String> all(BenchReport report) throws IOException {
    List<String> plots = new ArrayList<>();
    for (String state : report.queries().stream().map(BenchQuery::state).distinct().toList()) {
      plots.add(Plots.svg(ratios(state, report)));
    }
    return plots;
  }

  private static CategoryChart ratios(String state, BenchReport report) {
    List<BenchQuery> queries =
        report.queries().stream().filter(q -> q.state().equals(state)).toList();
    CategoryChart chart = Plots.chart(state, "time of the plain scan / of Spyhop");
    chart.addSeries(
        "times as fast",
        queries.stream().map(BenchQuery::name).toList(),
        queries.stream().map(BenchQuery::ratio).toList());
    return chart;
  }
}
