package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows the figures of {@code spyhop bench remix}. Stateless. */
public final class RemixLayout extends Layout {
  private static final double MILLION = 1e6;

  /** Creates it. */
  public RemixLayout() {
    super("bench remix", "Sorted views: many HFiles scan like one", "micro", "upkeep");
  }

  @Override
  List<TitledTable> tables(Row report) {
    List<TitledTable> tables = new ArrayList<>();
    tables.add(micro(report.rows("micro")));
    tables.add(
        TitledTable.of(
            "What views take, and how fast they are made",
            report.rows("view"),
            Column.right("HFiles", "runs"),
            Column.of("bytes a key", "bytes_per_key", Texts::ratio),
            Column.of(
                "merged, M keys/s", v -> v.number("build_keys_per_s") / MILLION, Texts::ratio),
            Column.of(
                "extended, M keys/s", v -> v.number("extend_keys_per_s") / MILLION, Texts::ratio),
            Column.equal()));
    tables.add(
        TitledTable.of(
            "Flushes and compactions of twins (medians, ms), and what views took meanwhile",
            report.rows("upkeep"),
            Column.text("what", "op"),
            Column.right("flushes", "flushes"),
            Column.of("flushed", "bytes_flushed", Texts::megabytes),
            Column.of("read for views", "bytes_read", Texts::megabytes),
            Column.of("read / flushed", u -> u.ratio("bytes_read", "bytes_flushed"), Texts::ratio),
            Column.of("CPU, views / flushes", "cpu_share", Texts::ratio),
            Column.of("without views", "without_ms", Texts::millis),
            Column.of("with views", "with_ms", Texts::millis),
            Column.of("ratio", u -> u.ratio("with_ms", "without_ms"), Texts::ratio),
            Column.equal()));
    tables.add(
        TitledTable.of(
            "Compacting less",
            report.rows("compaction"),
            Column.text("setting", "setting"),
            Column.of("put", "bytes_put", Texts::megabytes),
            Column.of("written", "bytes_written", Texts::megabytes),
            Column.of("written / put", RemixLayout::written, Texts::ratio),
            Column.of("seek, us", "scan_us", Texts::millis),
            Column.equal()));
    tables.add(
        TitledTable.of(
            "Scans and writes side by side",
            report.rows("load"),
            Column.text("load", "load"),
            Column.text("setting", "setting"),
            Column.of("operations/s", "ops_per_s", Texts::count),
            Column.of("written / put", "write_amplification", Texts::ratio),
            Column.right("HFiles", "hfiles"),
            Column.equal()));
    if (report.at("top10") != null) {
      tables.add(OrderLayout.top(report.row("top10")));
    }
    return tables;
  }

  private static double written(Row compaction) {
    return compaction.ratio("bytes_written", "bytes_put");
  }

  private static TitledTable micro(List<Row> measured) {
    return TitledTable.of(
        "Seeks, alone and with fifty rows: through a view, HBase's heap, one compacted file"
            + " (medians, microseconds)",
        kinds(measured),
        Column.right("HFiles", "runs"),
        Column.text("encoding", "encoding"),
        Column.text("read", "op"),
        Column.text("by", "via"),
        Column.of("view", "view", Texts::millis),
        Column.of("heap", "heap", Texts::millis),
        Column.of("one file", "compacted", Texts::millis),
        Column.of("heap / view", k -> k.ratio("heap", "view"), Texts::ratio),
        Column.of("view / one file", k -> k.ratio("view", "compacted"), Texts::ratio),
        Column.equal());
  }

  /** One for each kind of call, with the figures of its sides. */
  private static List<Row> kinds(List<Row> measured) {
    Map<String, Row> kinds = new LinkedHashMap<>();
    for (Row m : measured) {
      String kind = m.text("runs") + m.text("encoding") + m.text("op") + m.text("via");
      Row row =
          kinds.computeIfAbsent(
              kind,
              k ->
                  Row.of("runs", m.at("runs"))
                      .and("encoding", m.at("encoding"))
                      .and("op", m.at("op"))
                      .and("via", m.at("via"))
                      .and("equal", true));
      row.and(m.text("side"), m.at("us")).and("equal", row.allEqual() && m.allEqual());
    }
    return List.copyOf(kinds.values());
  }

  /** Seeks by the number of HFiles, for each encoding and read; bytes written. */
  @Override
  List<Plot> plots(Row report) {
    Map<String, List<Row>> seeks = new LinkedHashMap<>();
    for (Row m : report.rows("micro")) {
      if (m.text("via").equals("process")) {
        String title = m.text("op") + ", " + m.text("encoding");
        seeks.computeIfAbsent(title, t -> new ArrayList<>()).add(m);
      }
    }
    List<Plot> plots = new ArrayList<>();
    seeks.forEach(
        (title, measured) ->
            plots.add(
                new Plot(title, "us")
                    .points("HFiles")
                    .series(measured, "side", "runs", m -> m.number("us"))));
    plots.add(
        new Plot("Compacting less", "bytes written / put")
            .series(
                "written",
                report.rows("compaction"),
                c -> c.text("setting"),
                RemixLayout::written));
    return plots;
  }
}
