package io.spyhop.cli.output;

import io.spyhop.bench.mdrq.BenchQuery;
import io.spyhop.bench.mdrq.BenchReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** The figures of {@code spyhop bench mdrq} as plots, each a piece of SVG. Stateless. */
final class MdrqCharts {
  /** What a logarithmic axis can show. */
  private static final double LEAST = 0.01;

  private MdrqCharts() {}

  /** The times of each state. */
  static List<String> all(BenchReport report) throws IOException {
    List<String> plots = new ArrayList<>();
    for (String state : report.queries().stream().map(BenchQuery::state).distinct().toList()) {
      List<BenchQuery> queries =
          report.queries().stream().filter(q -> q.state().equals(state)).toList();
      plots.add(Plots.svg(times(state, queries)));
    }
    return plots;
  }

  private static CategoryChart times(String state, List<BenchQuery> queries) {
    CategoryChart chart = Plots.chart(state, "ms, logarithmic");
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(null);
    List<String> names = queries.stream().map(BenchQuery::name).toList();
    chart.addSeries("plain scan", names, values(queries, BenchQuery::plainMs));
    chart.addSeries("Spyhop", names, values(queries, BenchQuery::spyhopMs));
    chart.addSeries("as many rows by key", names, values(queries, BenchQuery::floorMs));
    return chart;
  }

  private static List<Double> values(
      List<BenchQuery> queries, ToDoubleFunction<BenchQuery> figure) {
    return queries.stream().map(q -> Math.max(LEAST, figure.applyAsDouble(q))).toList();
  }
}
