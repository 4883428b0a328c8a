package io.spyhop.cli.output;

import io.spyhop.bench.pruning.PruningReport;
import io.spyhop.bench.pruning.PruningReport.Index;
import io.spyhop.bench.pruning.PruningReport.Interval;
import io.spyhop.bench.pruning.PruningReport.Measured;
import io.spyhop.bench.pruning.PruningReport.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** The figures of {@code spyhop bench pruning} as plots, each a piece of SVG. Stateless. */
final class PruningCharts {
  private static final String REGIONS = "regions";
  private static final String MEMSTORES = "memstores";
  private static final String RATE = "queries/s";

  private PruningCharts() {}

  /** All plots, in the order of the paper's figures. */
  static List<String> all(PruningReport r) throws IOException {
    List<Measured> readOnly = lines(r, q -> isQuery(q) && isLoad(q, PruningReport.READ_ONLY));
    Function<Measured, String> name = m -> m.query().name();
    List<String> plots = new ArrayList<>();
    plots.add(io(readOnly));
    plots.addAll(
        List.of(
            regions("Figure 9a: filtration of regions", readOnly, name),
            memstores("Figure 9b: filtration of memstores, no writes", readOnly, name),
            rates("Figure 10: performance", readOnly, name)));
    plots.add(costs(r.indexes()));
    plots.addAll(three(r, "12", PruningReport.PARTITIONS, "partition size"));
    plots.addAll(three(r, "13", PruningReport.MEMSTORE, "rows in the memstore"));
    plots.add(intervalRates(r.syncs()));
    plots.add(intervalTimes(r.syncs()));
    plots.add(
        rates(
            "Figure 15: Q-55, write load",
            q55(r, PruningReport.WRITES),
            m -> m.query().load().substring(PruningReport.WRITES.length()) + "/s"));
    return plots;
  }

  private static boolean isQuery(Query q) {
    return q.name().startsWith("Q-");
  }

  private static boolean isLoad(Query q, String load) {
    return q.load().equals(load);
  }

  private static List<Measured> lines(PruningReport r, Predicate<Query> which) {
    return r.measured().stream().filter(m -> which.test(m.query())).toList();
  }

  private static List<Measured> q55(PruningReport r, String loads) {
    return lines(r, q -> q.name().equals("Q-55") && q.load().startsWith(loads));
  }

  /** Regions, memstores and rate of Q-55 by something that varies. */
  private static List<String> three(PruningReport r, String figure, String loads, String what)
      throws IOException {
    List<Measured> lines = q55(r, loads);
    Function<Measured, String> point = m -> m.query().load().substring(loads.length());
    String title = "Figure " + figure + "%s: Q-55, " + what;
    return List.of(
        regions(title.formatted("a"), lines, point),
        memstores(title.formatted("b"), lines, point),
        rates(title.formatted("c"), lines, point));
  }

  private static String io(List<Measured> lines) throws IOException {
    CategoryChart chart = Plots.chart("Figure 8: I/O", "data blocks read for a query");
    List<String> points = lines.stream().map(m -> m.query().name()).toList();
    add(chart, "OPS", points, lines, Measured::opsBlocks);
    add(chart, "PPS", points, lines, Measured::ppsBlocks);
    return Plots.svg(chart);
  }

  private static String regions(
      String title, List<Measured> lines, Function<Measured, String> point) throws IOException {
    CategoryChart chart = Plots.chart(title, REGIONS);
    List<String> points = lines.stream().map(point).toList();
    add(chart, "OPS", points, lines, m -> m.query().opsRegions());
    add(chart, "PPS", points, lines, m -> m.query().ppsRegions());
    add(chart, "oracle", points, lines, m -> m.query().oracleRegions());
    return Plots.svg(chart);
  }

  private static String memstores(
      String title, List<Measured> lines, Function<Measured, String> point) throws IOException {
    CategoryChart chart = Plots.chart(title, MEMSTORES);
    List<String> points = lines.stream().map(point).toList();
    add(chart, "OPS", points, lines, m -> m.query().opsMemstores());
    add(chart, "PPS", points, lines, m -> m.query().ppsMemstores());
    return Plots.svg(chart);
  }

  private static String rates(String title, List<Measured> lines, Function<Measured, String> point)
      throws IOException {
    CategoryChart chart = Plots.chart(title, RATE);
    List<String> points = lines.stream().map(point).toList();
    add(chart, "OPS", points, lines, m -> m.query().opsQps());
    add(chart, "PPS", points, lines, m -> m.query().ppsQps());
    return Plots.svg(chart);
  }

  private static String costs(List<Index> rows) throws IOException {
    CategoryChart chart = Plots.chart("Figure 11: latency x space", "ms x MB");
    List<String> points = rows.stream().map(Index::name).toList();
    add(chart, "statistics", points, rows, i -> megabytes(i.statisticsMs() * i.statisticsBytes()));
    add(chart, "global indexes", points, rows, i -> megabytes(i.indexMs() * i.indexBytes()));
    return Plots.svg(chart);
  }

  private static double megabytes(double bytes) {
    return bytes / (1 << 20);
  }

  private static String intervalRates(List<Interval> rows) throws IOException {
    CategoryChart chart = Plots.chart("Figure 14: sync interval in ms", RATE);
    add(chart, "PPS, BATCHED", intervals(rows), rows, Interval::qps);
    return Plots.svg(chart);
  }

  private static String intervalTimes(List<Interval> rows) throws IOException {
    CategoryChart chart = Plots.chart("Figure 14: time of one synchronisation", "ms");
    add(chart, "one synchronisation", intervals(rows), rows, Interval::syncMs);
    return Plots.svg(chart);
  }

  private static List<String> intervals(List<Interval> rows) {
    return rows.stream().map(i -> i.millis() + " ms").toList();
  }

  /** Adds a series; a chart cannot have one without points. */
  private static <T> void add(
      CategoryChart chart,
      String name,
      List<String> points,
      List<T> rows,
      ToDoubleFunction<T> figure) {
    if (!rows.isEmpty()) {
      chart.addSeries(name, points, rows.stream().map(figure::applyAsDouble).toList());
    }
  }
}
