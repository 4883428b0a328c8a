package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Shows the figures of {@code spyhop bench deli}. Stateless. */
public final class DeliLayout extends Layout {
  private static final List<String> MODES = List.of("none", "deferred", "sync");

  /** DELI, section VI.B: figure 7, deferred against update-in-place. */
  private static final double WRITES = 3;

  /** DELI, section VI.B: figure 8a, at a share of reads of 0.1. */
  private static final double MIXED = 2.5;

  private static final double MIXED_READS = 0.1;

  /** DELI, table II: seconds of the update-in-place index and of DELI. */
  private static final double OVERHEAD = 4619.456 / 1553.158;

  /** Creates it. */
  public DeliLayout() {
    super("bench deli", "Deferred and synchronous maintenance of global indexes", "write_drained");
  }

  @Override
  List<TitledTable> besidePaper(Row report) {
    List<Row> figures = new ArrayList<>();
    figures.add(
        besidePaper("writing, deferred / synchronous", WRITES, report.number("write/ratio")));
    for (Row mixed : report.rows("mixed")) {
      if (mixed.number("read_ratio") == MIXED_READS) {
        figures.add(
            besidePaper("a tenth of reads, deferred / synchronous", MIXED, mixed.number("ratio")));
      }
    }
    double deferred = total(report, "deferred");
    figures.add(
        besidePaper(
            "writing and compaction, time of synchronous / deferred",
            OVERHEAD,
            deferred == 0 ? 0 : total(report, "sync") / deferred));
    return List.of(besidePaper(figures.toArray(Row[]::new)));
  }

  private static double total(Row report, String mode) {
    return report.rows("overhead").stream()
        .filter(o -> o.text("mode").equals(mode))
        .mapToDouble(o -> o.number("total_s"))
        .sum();
  }

  @Override
  List<TitledTable> tables(Row report) {
    return List.of(
        writes(report),
        TitledTable.of(
            "Figure 8: reads by value and single puts, mixed",
            report.rows("mixed"),
            Column.right("reads", "read_ratio"),
            Column.of("deferred ops/s", "deferred_ops", Texts::count),
            Column.of("sync ops/s", "sync_ops", Texts::count),
            Column.of("ratio", "ratio", Texts::ratio),
            latency("deferred read p50/p99 ms", "deferred_ms/read_"),
            latency("sync read p50/p99 ms", "sync_ms/read_"),
            latency("deferred put p50/p99 ms", "deferred_ms/write_"),
            latency("sync put p50/p99 ms", "sync_ms/write_")),
        TitledTable.of(
            "Queries of few rows by value, one after the other",
            report.rows("reads"),
            Column.text("query", "side"),
            Column.of("p50 ms", "p50_ms", Texts::ratio),
            Column.of("p99 ms", "p99_ms", Texts::ratio),
            Column.of("calls", "calls_per_query", Texts::ratio),
            Column.of("calls of servers too", "server_calls_per_query", Texts::ratio)),
        TitledTable.of(
            "Figure 9: major compaction, medians",
            report.rows("compaction"),
            Column.text("data", "dataset"),
            Column.text("repair", "mode"),
            Column.of("seconds", "seconds", Texts::ratio),
            Column.of("to none", "ratio", Texts::ratio),
            Column.of("blocks read", "block_reads", Texts::count),
            Column.right("repetitions", "all_seconds")),
        TitledTable.of(
            "Table II: writing (online) and compaction (offline)",
            report.rows("overhead"),
            Column.text("index", "mode"),
            Column.of("online s", "online_s", Texts::ratio),
            Column.of("offline s", "offline_s", Texts::ratio),
            Column.of("total s", "total_s", Texts::ratio),
            Column.of("online blocks", "online_block_reads", Texts::count),
            Column.of("offline blocks", "offline_block_reads", Texts::count),
            Column.of("total blocks", "total_block_reads", Texts::count)));
  }

  private static TitledTable writes(Row report) {
    List<Row> rows =
        List.of(
            rates("batches of 100, ops/s", report.row("write")),
            rates("until no delete pends, ops/s", report.row("write_drained")),
            millis("batch p50", report.row("p50_ms")),
            millis("batch p99", report.row("p99_ms")),
            rates("single puts, ops/s", report.row("singles/write")),
            millis("single put p50", report.row("singles/p50_ms")),
            millis("single put p99", report.row("singles/p99_ms")));
    return TitledTable.of(
        "Figure 7: writing, puts a second and latency of a call in ms",
        rows,
        Column.text("", "what"),
        Column.right("none", "none"),
        Column.right("deferred", "deferred"),
        Column.right("sync", "sync"),
        Column.of("deferred/sync", "to_sync", Texts::ratio),
        Column.of("deferred/none", "to_none", Texts::ratio));
  }

  private static Row rates(String what, Row rates) {
    return modes(what, rates, "_ops", Texts::count);
  }

  private static Row millis(String what, Row millis) {
    return modes(what, millis, "", Texts::ratio);
  }

  private static Row modes(String what, Row of, String suffix, Column.Format format) {
    Row row = Row.of("what", what);
    MODES.forEach(mode -> row.and(mode, format.of(of.number(mode + suffix))));
    return row.and("to_sync", of.ratio("deferred" + suffix, "sync" + suffix))
        .and("to_none", of.ratio("deferred" + suffix, "none" + suffix));
  }

  /** Median and 99th percentile; a dash where there are no such calls. */
  private static Column latency(String title, String path) {
    Function<Row, Object> cell =
        row ->
            row.number(path + "p99") == 0
                ? "-"
                : Texts.ratio(row.number(path + "p50"))
                    + " / "
                    + Texts.ratio(row.number(path + "p99"));
    return new Column(">" + title, cell);
  }

  /** In the order of the paper's figures. */
  @Override
  List<Plot> plots(Row report) {
    Plot writes =
        byMode(new Plot("Figure 7a: writing", "puts/s"), report, "batches of 100", "write", "_ops");
    byMode(writes, report, "until no delete pends", "write_drained", "_ops");
    byMode(writes, report, "single puts", "singles/write", "_ops");
    Plot latency = new Plot("Figure 7b: latency of a call", "ms");
    byMode(latency, report, "batch p50", "p50_ms", "");
    byMode(latency, report, "batch p99", "p99_ms", "");
    byMode(latency, report, "single put p50", "singles/p50_ms", "");
    byMode(latency, report, "single put p99", "singles/p99_ms", "");
    return List.of(
        writes,
        latency,
        mixed(report, "Figure 8a: throughput", "operations/s", "_ops"),
        mixed(report, "Figure 8b: p99 of reads", "ms", "_ms/read_p99"),
        mixed(report, "Figure 8b: p99 of puts", "ms", "_ms/write_p99"),
        compactions(report, "Figure 9a: compaction", "s", c -> c.number("seconds")),
        compactions(
            report, "Figure 9b: compaction", "data blocks read", c -> c.number("block_reads")));
  }

  private static Plot byMode(Plot plot, Row report, String name, String path, String suffix) {
    List<Row> bars =
        MODES.stream()
            .map(m -> Row.of("mode", m).and("bar", report.at(path + "/" + m + suffix)))
            .toList();
    return plot.series(name, bars, b -> b.text("mode"), b -> b.number("bar"));
  }

  private static Plot mixed(Row report, String title, String unit, String figure) {
    Plot plot = new Plot(title, unit).points("share of reads");
    for (String mode : List.of("deferred", "sync")) {
      plot.series(
          mode, report.rows("mixed"), m -> m.text("read_ratio"), m -> m.number(mode + figure));
    }
    return plot;
  }

  private static Plot compactions(
      Row report, String title, String unit, ToDoubleFunction<Row> figure) {
    return new Plot(title, unit).series(report.rows("compaction"), "dataset", "mode", figure);
  }
}
