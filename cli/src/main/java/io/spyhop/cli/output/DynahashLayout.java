package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Shows the figures of {@code spyhop bench dynahash}. Stateless. */
public final class DynahashLayout extends Layout {
  private static final double MEGABYTE = 1e6;

  /** Degrees, as names of works are long. */
  private static final int LABELS = 45;

  /** Creates it. */
  public DynahashLayout() {
    super(
        "bench dynahash",
        "Bucketed tables: little moves when a server goes or comes",
        "rebalance",
        "under_load");
  }

  @Override
  List<TitledTable> tables(Row report) {
    return List.of(
        TitledTable.of(
            "A server goes, and one comes (paper, Figure 7 a and b)",
            report.rows("rebalance"),
            Column.text("scheme", "scheme"),
            Column.text("change", "change"),
            Column.of("seconds", "seconds", Texts::ratio),
            Column.of("moved", "bytes_moved", Texts::megabytes),
            Column.of("at least", "least_bytes", Texts::megabytes),
            Column.of("moved / least", r -> r.ratio("bytes_moved", "least_bytes"), Texts::ratio),
            Column.of("max / mean", "balance", Texts::ratio),
            Column.right("missing index files", "missing_index_files"),
            Column.right("buckets moved", "buckets_moved"),
            Column.right("writes held up, ms", "blocked_ms"),
            Column.equal()),
        TitledTable.of(
            "A bucketed table against a plain one (Figures 6, 8 and 9; medians, ms)",
            report.rows("overhead"),
            Column.text("work", "work"),
            Column.of("plain", "plain", Texts::millis),
            Column.of("bucketed", "bucketed", Texts::millis),
            Column.of("bucketed / plain", "ratio", Texts::ratio),
            Column.equal()),
        TitledTable.of(
            "The same with few of 20,000 rows (medians, us)",
            report.rows("small"),
            Column.text("work", "work"),
            Column.of("plain", "plain_us", Texts::ratio),
            Column.of("bucketed", "bucketed_us", Texts::ratio),
            Column.of("bucketed / plain", "ratio", Texts::ratio),
            Column.of("calls", "rpcs", Texts::ratio),
            Column.equal()),
        underLoad(report),
        TitledTable.of(
            "A table of one region is split beside a writer and a reader (medians, ms)",
            report.rows("split"),
            Column.text("table", "table"),
            Column.of("longest put", "write_ms", Texts::millis),
            Column.of("longest get", "read_ms", Texts::millis),
            Column.of("longest put of all", "longest_write_ms", Texts::millis),
            Column.equal()));
  }

  private static TitledTable underLoad(Row report) {
    return TitledTable.of(
        "A server goes while rows are written and asked for, "
            + report.text("settings/pause_seconds")
            + " s between buckets (Figure 7 c)",
        report.rows("under_load"),
        Column.of("share of writes", "write_share", Texts::ratio),
        Column.of("seconds", "seconds", Texts::ratio),
        Column.of("query p99 before, ms", "query_p99_before_ms", Texts::millis),
        Column.of("during, ms", "query_p99_during_ms", Texts::millis),
        Column.of("after, ms", "query_p99_after_ms", Texts::millis),
        Column.of(
            "during / before",
            u -> u.ratio("query_p99_during_ms", "query_p99_before_ms"),
            Texts::ratio),
        Column.of("rows/s", "rows_per_s", Texts::count),
        Column.right("queries", "queries"),
        Column.equal());
  }

  /** The paper's Figures 6 to 9, as far as they were measured. */
  @Override
  List<Plot> plots(Row report) {
    List<Plot> plots = new ArrayList<>();
    List<Row> rebalances = report.rows("rebalance");
    if (!rebalances.isEmpty()) {
      plots.add(changes("Rebalancing", "s", rebalances, r -> r.number("seconds")));
      plots.add(
          changes("What is moved", "MB", rebalances, r -> r.number("bytes_moved") / MEGABYTE));
    }
    List<Row> works = report.rows("overhead");
    if (!works.isEmpty()) {
      plots.add(
          new Plot("A bucketed table against a plain one", "time / time")
              .turned(LABELS)
              .series("bucketed / plain", works, w -> w.text("work"), w -> w.number("ratio")));
    }
    List<Row> loads = report.rows("under_load");
    if (!loads.isEmpty()) {
      Plot seconds = new Plot("Removing a server beside writers", "s");
      plots.add(byShare(seconds, "rebalance", loads, "seconds"));
      Plot latencies = new Plot("Queries, 99th percentile", "ms");
      for (String when : List.of("before", "during", "after")) {
        byShare(latencies, when, loads, "query_p99_" + when + "_ms");
      }
      plots.add(latencies);
    }
    return plots;
  }

  private static Plot changes(
      String title, String unit, List<Row> measured, ToDoubleFunction<Row> value) {
    return new Plot(title, unit).series(measured, "scheme", "change", value);
  }

  private static Plot byShare(Plot plot, String name, List<Row> loads, String path) {
    return plot.points("share of the largest write rate")
        .series(name, loads, u -> u.text("write_share"), u -> u.number(path));
  }
}
