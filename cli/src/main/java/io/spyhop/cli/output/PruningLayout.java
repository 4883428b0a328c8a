package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import io.spyhop.bench.pruning.PruningBench;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/** Shows the figures of {@code spyhop bench pruning}. Stateless. */
public final class PruningLayout extends Layout {
  private static final int PERCENT = 100;
  private static final double MEGABYTE = 1 << 20;
  private static final double BAR = 1.5;
  private static final double BAR_OF_UNPRUNABLE = 0.97;

  /** Creates it. */
  public PruningLayout() {
    super("bench pruning", "Partition pruning: regions that cannot answer are not asked", "all");
  }

  @Override
  Object settings(Row report) {
    Object all = report.at("all/settings");
    return all == null ? report.at("settings") : all;
  }

  @Override
  List<TitledTable> tables(Row report) {
    List<TitledTable> tables = new ArrayList<>();
    if (report.at("all") != null) {
      tables.addAll(paper(report.row("all")));
    }
    if (report.at("all/joins") != null) {
      tables.add(joins(report.rows("all/joins")));
    }
    if (report.at("scale") != null) {
      tables.add(scale(report.rows("scale")));
    }
    return tables;
  }

  private static TitledTable scale(List<Row> measured) {
    return TitledTable.of(
        "Statistics of very many regions: STRICT queries for values that no region has",
        measured,
        Column.right("regions", "regions"),
        Column.text("simulated", "simulated"),
        Column.right("columns", "columns"),
        Column.right("written", "written"),
        Column.of("cache MB", "cache_mb", Texts::ratio),
        Column.of("heap MB", "heap_mb", Texts::ratio),
        Column.of("bytes/query", "bytes_per_query", Texts::ratio),
        Column.of("ms/query", "ms_per_query", Texts::ratio));
  }

  private static List<TitledTable> paper(Row all) {
    List<Row> measured = all.rows("measured");
    return List.of(
        queries(
            "Figures 9, 10, 13 and 15: regions and memstores read, queries a second",
            where(measured, m -> !load(m).startsWith(PruningBench.PARTITIONS))),
        writes(
            where(
                measured,
                m -> load(m).startsWith(PruningBench.WRITE) && m.at("query/write_asked") != null)),
        queries(
            "Figure 12: Q-55 with regions of five sizes",
            where(measured, m -> load(m).startsWith(PruningBench.PARTITIONS))),
        costs(measured),
        intervals(syncs(all)),
        TitledTable.of(
            "Synchronising a table, against reading a row of each region",
            List.of(all.row("sync")),
            Column.right("regions", "regions"),
            Column.right("servers", "servers"),
            Column.of("calls", "rpcs", Texts::ratio),
            Column.of("sync ms", "median_ms", Texts::ratio),
            Column.of("multi-get ms", "multiget_ms", Texts::ratio),
            Column.of("ratio", s -> s.ratio("median_ms", "multiget_ms"), Texts::ratio)),
        TitledTable.of(
            "What statistics of two of three columns cost writes (asked for: under 3%)",
            List.of(all.row("write_cost")),
            Column.right("rows", "rows"),
            Column.of("without, s", "plain_s", Texts::ratio),
            Column.of("with, s", "recorded_s", Texts::ratio),
            Column.of("more", "ratio", PruningLayout::more),
            Column.of("more CPU", "cpu_ratio", PruningLayout::more)),
        TitledTable.of(
            "Table 4: bytes of statistics",
            all.rows("spaces"),
            Column.text("table", "table"),
            Column.right("regions", "regions"),
            Column.right("cache", "cached"),
            Column.right("formula", "formula"),
            Column.right("paper, its partitions", "paper")),
        indexes(all.rows("indexes")));
  }

  private static TitledTable writes(List<Row> measured) {
    return TitledTable.of(
        "Writes meanwhile, rows a second: asked for, reached, and of these with other values",
        measured.stream().map(m -> m.row("query")).toList(),
        Column.text("query", "name"),
        Column.text("load", "load"),
        Column.of("asked for", "write_asked", Texts::count),
        Column.of("reached", "write_reached", Texts::count),
        Column.of("changed", "write_changed", Texts::count),
        Column.of("regions OPS", "ops_regions", Texts::ratio),
        Column.of("PPS", "pps_regions", Texts::ratio),
        Column.of("BOUNDED", "bounded_regions", Texts::ratio));
  }

  private static TitledTable intervals(List<Row> syncs) {
    return TitledTable.of(
        "Figure 14: Q-55 under writes, by the level of consistency and its interval or age",
        syncs,
        Column.text("level", "way"),
        Column.right("ms", "millis"),
        Column.of("queries/s", "qps", Texts::ratio),
        Column.of("query ms", "ms", Texts::ratio),
        Column.of("calls/query", "rpcs_per_query", Texts::ratio),
        Column.of("sync calls/query", "sync_rpcs_per_query", Texts::ratio),
        Column.of("sync bytes/query", "sync_bytes_per_query", Texts::ratio),
        Column.of("sync ms", "sync_ms", Texts::ratio),
        Column.of("sync bytes", "sync_bytes", Texts::ratio),
        Column.of("syncs/s", "syncs_per_second", Texts::ratio),
        Column.of("regions", "regions", Texts::ratio),
        Column.of("stale ms", "stale_ms", Texts::ratio),
        Column.of("written/s", "write_reached", Texts::count));
  }

  /** Once all of them were BATCHED, and did not say so. */
  private static List<Row> syncs(Row all) {
    return all.rows("syncs").stream().map(s -> Row.of("way", "batched").and(s)).toList();
  }

  private static TitledTable joins(List<Row> joins) {
    return TitledTable.of(
        "Whole queries: dimension tables, store_sales and their join, one client (median ms)",
        joins,
        Column.text("query", "name"),
        Column.of("sales joined", "sales", Texts::ratio),
        Column.of("dimensions OPS", "ops_dimensions_ms", Texts::ratio),
        Column.of("PPS", "pps_dimensions_ms", Texts::ratio),
        Column.of("BOUNDED", "bounded_dimensions_ms", Texts::ratio),
        Column.of("ratio", j -> j.ratio("ops_dimensions_ms", "pps_dimensions_ms"), Texts::ratio),
        Column.of("whole OPS", "ops_ms", Texts::ratio),
        Column.of("PPS", "pps_ms", Texts::ratio),
        Column.of("BOUNDED", "bounded_ms", Texts::ratio),
        Column.of("ratio", j -> j.ratio("ops_ms", "pps_ms"), Texts::ratio),
        Column.equal());
  }

  private static TitledTable queries(String title, List<Row> measured) {
    return TitledTable.of(
        title,
        measured.stream().map(m -> m.row("query")).toList(),
        Column.text("query", "name"),
        Column.text("load", "load"),
        Column.of("regions OPS", "ops_regions", Texts::ratio),
        Column.of("PPS", "pps_regions", Texts::ratio),
        Column.of("oracle", "oracle_regions", Texts::ratio),
        Column.of("memstores OPS", "ops_memstores", Texts::ratio),
        Column.of("PPS", "pps_memstores", Texts::ratio),
        Column.of("OPS queries/s", "ops_qps", Texts::ratio),
        Column.of("PPS queries/s", "pps_qps", Texts::ratio),
        Column.of("ratio", q -> q.ratio("pps_qps", "ops_qps"), Texts::ratio),
        Column.of("asked for", PruningLayout::bar, Texts::ratio),
        Column.of("BOUNDED queries/s", "bounded_qps", Texts::ratio),
        Column.equal());
  }

  /** The least ratio that is accepted: more where an oracle can leave out half of the regions. */
  private static double bar(Row query) {
    boolean prunable = 2 * query.number("oracle_regions") <= query.number("ops_regions");
    return prunable ? BAR : BAR_OF_UNPRUNABLE;
  }

  private static TitledTable costs(List<Row> measured) {
    return TitledTable.of(
        "Figures 8 and 10: what a query costs (median latency, data blocks read)",
        measured,
        Column.text("query", "query/name"),
        Column.text("load", "query/load"),
        Column.of("OPS ms", "ops_ms", Texts::ratio),
        Column.of("PPS ms", "pps_ms", Texts::ratio),
        Column.of("OPS blocks", "ops_blocks", PruningLayout::blocks),
        Column.of("PPS blocks", "pps_blocks", PruningLayout::blocks),
        Column.of("sync ms", "sync_ms", Texts::ratio),
        Column.of("sync bytes", "sync_bytes", Texts::ratio),
        Column.of("syncs/query", "syncs_per_query", Texts::ratio),
        Column.of("BOUNDED ms", "bounded_ms", Texts::ratio),
        Column.of("syncs/query", "bounded_syncs_per_query", Texts::ratio),
        Column.of("rows written/s", "written", Texts::ratio));
  }

  private static TitledTable indexes(List<Row> indexes) {
    return TitledTable.of(
        "Figure 11: statistics against global indexes, one client",
        indexes,
        Column.text("query", "name"),
        Column.of("statistics ms", "statistics_ms", Texts::ratio),
        Column.right("bytes", "statistics_bytes"),
        Column.of("ms x bytes", i -> cost(i, "statistics"), Texts::ratio),
        Column.of("indexes ms", "index_ms", Texts::ratio),
        Column.right("bytes", "index_bytes"),
        Column.of("ms x bytes", i -> cost(i, "index"), Texts::ratio));
  }

  private static double cost(Row index, String side) {
    return index.number(side + "_ms") * index.number(side + "_bytes");
  }

  private static String more(double ratio) {
    return String.format(Locale.ROOT, "%+.1f%%", PERCENT * (ratio - 1));
  }

  /** They are counted where nothing is written. */
  private static String blocks(double number) {
    return number == 0 ? "-" : Texts.ratio(number);
  }

  private static String load(Row measured) {
    return measured.text("query/load");
  }

  private static List<Row> where(List<Row> rows, Predicate<Row> which) {
    return rows.stream().filter(which).toList();
  }

  /** In the order of the paper's figures. */
  @Override
  List<Plot> plots(Row report) {
    if (report.at("all") == null) {
      return List.of();
    }
    Row all = report.row("all");
    List<Row> measured = all.rows("measured");
    List<Row> readOnly =
        where(
            measured,
            m -> load(m).equals(PruningBench.READ_ONLY) && m.text("query/name").startsWith("Q-"));
    Function<Row, String> name = m -> m.text("query/name");
    List<Plot> plots = new ArrayList<>();
    plots.add(sides("Figure 8: I/O", "data blocks read for a query", readOnly, name, "%s_blocks"));
    plots.add(regions("Figure 9a: filtration of regions", readOnly, name));
    plots.add(memstores("Figure 9b: filtration of memstores, no writes", readOnly, name));
    plots.add(rates("Figure 10: performance", readOnly, name));
    plots.add(costs("Figure 11: latency x space", all.rows("indexes")));
    plots.addAll(three("12", measured, PruningBench.PARTITIONS, "partition size"));
    plots.addAll(three("13", measured, PruningBench.MEMSTORE, "rows in the memstore"));
    plots.add(syncs("Figure 14: sync interval or age in ms", "queries/s", syncs(all), "qps"));
    plots.add(syncs("Figure 14: time of one synchronisation", "ms", syncs(all), "sync_ms"));
    plots.add(
        rates(
            "Figure 15: Q-55, rows written (as asked for)",
            q55(measured, PruningBench.WRITES),
            m -> load(m).substring(PruningBench.WRITES.length()) + "/s"));
    return plots;
  }

  private static Plot syncs(String title, String unit, List<Row> syncs, String figure) {
    return new Plot(title, unit).series(syncs, "way", "millis", s -> s.number(figure));
  }

  private static List<Row> q55(List<Row> measured, String loads) {
    return where(measured, m -> m.text("query/name").equals("Q-55") && load(m).startsWith(loads));
  }

  /** Regions, memstores and rate of Q-55 by something that varies. */
  private static List<Plot> three(String figure, List<Row> measured, String loads, String what) {
    List<Row> rows = q55(measured, loads);
    Function<Row, String> point = m -> load(m).substring(loads.length());
    String title = "Figure " + figure + "%s: Q-55, " + what;
    return List.of(
        regions(title.formatted("a"), rows, point),
        memstores(title.formatted("b"), rows, point),
        rates(title.formatted("c"), rows, point));
  }

  private static Plot regions(String title, List<Row> rows, Function<Row, String> point) {
    return sides(title, "regions", rows, point, "query/%s_regions")
        .series("oracle", rows, point, m -> m.number("query/oracle_regions"));
  }

  private static Plot memstores(String title, List<Row> rows, Function<Row, String> point) {
    return sides(title, "memstores", rows, point, "query/%s_memstores");
  }

  private static Plot rates(String title, List<Row> rows, Function<Row, String> point) {
    return sides(title, "queries/s", rows, point, "query/%s_qps");
  }

  private static Plot sides(
      String title, String unit, List<Row> rows, Function<Row, String> point, String path) {
    return new Plot(title, unit)
        .series("OPS", rows, point, m -> m.number(path.formatted("ops")))
        .series("PPS", rows, point, m -> m.number(path.formatted("pps")));
  }

  private static Plot costs(String title, List<Row> indexes) {
    return new Plot(title, "ms x MB")
        .series("statistics", indexes, i -> i.text("name"), i -> cost(i, "statistics") / MEGABYTE)
        .series("global indexes", indexes, i -> i.text("name"), i -> cost(i, "index") / MEGABYTE);
  }
}
