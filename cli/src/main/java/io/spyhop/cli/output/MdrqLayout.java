package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows the figures of {@code spyhop bench mdrq}. Stateless. */
public final class MdrqLayout extends Layout {
  /** LCIndex, section IV.B.1: of raw HBase's throughput. */
  private static final double INSERT = 0.725;

  /** LCIndex, section IV.B.4: of raw HBase's storage. */
  private static final double STORAGE = 2.31;

  private static final Column LAYOUT = new Column("layout", MdrqLayout::layout);

  /** Creates it. */
  public MdrqLayout() {
    super("bench mdrq", "Multi-dimensional range queries through local indexes", "states");
  }

  /** How much faster Spyhop is in the state that was asked last. */
  public static String last(Row report) {
    List<Row> states = report.rows("states");
    String last = place(states.get(states.size() - 1));
    return report.rows("queries").stream()
        .filter(q -> place(q).equals(last))
        .map(q -> q.text("name") + " " + Texts.ratio(q.number("ratio")))
        .collect(Collectors.joining(", ", last + ": ", ""));
  }

  private static String place(Row row) {
    return row.text("state") + ", " + layout(row);
  }

  /** Results of earlier versions have none. */
  private static String layout(Row row) {
    return row.at("layout") == null ? "-" : row.text("layout").toLowerCase(Locale.ROOT);
  }

  /** How the two ways of the demonstration to answer compare. */
  public static List<String> comparison(List<Row> queries) {
    return TitledTable.of(
            "",
            queries,
            Column.text("query", "name"),
            Column.of("rows", "rows", Texts::count),
            Column.text("driving index", "driving"),
            Column.of("records read", "records_read", Texts::count),
            Column.of("plain ms", "plain_ms", Texts::millis),
            Column.of("Spyhop ms", "spyhop_ms", Texts::millis),
            Column.of("ratio", "ratio", Texts::ratio),
            Column.equal())
        .table()
        .lines();
  }

  @Override
  List<TitledTable> besidePaper(Row report) {
    double all = 0;
    for (String files : List.of("base", "ifiles", "sfiles")) {
      all += report.number("bytes/" + files);
    }
    double base = report.number("bytes/base");
    return List.of(
        besidePaper(
            besidePaper("inserts, of those without indexes", INSERT, report.number("insert/ratio")),
            besidePaper(
                "the same, until all is indexed",
                Double.NaN,
                report.number("insert/indexed_ratio")),
            besidePaper("storage, of that without indexes", STORAGE, base == 0 ? 0 : all / base)));
  }

  @Override
  List<TitledTable> tables(Row report) {
    List<TitledTable> tables = new ArrayList<>();
    tables.add(states(report.rows("states")));
    List<Row> queries = report.rows("queries");
    if (!queries.isEmpty()) {
      tables.add(times(queries));
      tables.add(efforts(queries));
    }
    // Results of earlier versions have none.
    if (report.at("aggregates") != null && !report.rows("aggregates").isEmpty()) {
      tables.add(aggregates(report.rows("aggregates")));
    }
    List<Row> puts = puts(report);
    if (!puts.isEmpty()) {
      tables.add(puts(puts));
    }
    return tables;
  }

  private static TitledTable states(List<Row> states) {
    return TitledTable.of(
        "States",
        states,
        Column.text("state", "state"),
        LAYOUT,
        Column.of("rows", "rows", Texts::count),
        Column.right("regions", "regions"),
        Column.right("HFiles each", "hfiles"),
        Column.of("memstore MB", "memstore_mb", Texts::millis),
        Column.of("data", "bytes/base", Texts::megabytes),
        Column.of(
            "index", r -> r.number("bytes/ifiles") + r.number("bytes/sfiles"), Texts::megabytes),
        Column.of("plain rows/s", "insert/plain_flushed_rows_per_s", Texts::count),
        Column.of("until indexed", "insert/spyhop_indexed_rows_per_s", Texts::count),
        Column.of("ratio", "insert/indexed_ratio", Texts::ratio));
  }

  private static TitledTable times(List<Row> queries) {
    return TitledTable.of(
        "Times, medians in milliseconds",
        queries,
        Column.text("query", "name"),
        Column.text("state", "state"),
        LAYOUT,
        Column.of("rows", "rows", Texts::count),
        Column.text("driving index", "driving"),
        Column.of("records read", "records_read", Texts::count),
        Column.of("reread", "rereads", Texts::count),
        Column.of("predicate ms", "plain_predicate_ms", Texts::millis),
        Column.of("scvf ms", "plain_scvf_ms", Texts::millis),
        Column.of("Spyhop ms", "spyhop_ms", Texts::millis),
        Column.of("floor ms", "floor_ms", Texts::millis),
        Column.of("by region", "floor_regions_ms", Texts::millis),
        Column.of("ratio", "ratio", Texts::ratio),
        Column.of("of floor", "of_floor", Texts::ratio),
        Column.equal());
  }

  private static TitledTable aggregates(List<Row> aggregates) {
    return TitledTable.of(
        "Aggregates, medians in milliseconds",
        aggregates,
        Column.text("aggregate", "name"),
        Column.text("state", "state"),
        LAYOUT,
        Column.of("plain ms", "plain_ms", Texts::millis),
        Column.of("Spyhop ms", "spyhop_ms", Texts::millis),
        Column.of("ratio", "ratio", Texts::ratio),
        Column.equal());
  }

  private static TitledTable efforts(List<Row> queries) {
    return TitledTable.of(
        "Effort of the faster plain scan and of Spyhop",
        queries,
        Column.text("query", "name"),
        Column.text("state", "state"),
        LAYOUT,
        Column.of("MB plain", "plain/mb_read", Texts::millis),
        Column.of("Spyhop", "spyhop/mb_read", Texts::millis),
        Column.of("CPU ms plain", "plain/cpu_ms", Texts::millis),
        Column.of("Spyhop", "spyhop/cpu_ms", Texts::millis),
        Column.of("q/s plain", "plain/qps", Texts::millis),
        Column.of("Spyhop", "spyhop/qps", Texts::millis),
        Column.of("p99 ms plain", "plain/p99_ms", Texts::millis),
        Column.of("Spyhop", "spyhop/p99_ms", Texts::millis));
  }

  /** One for each query and table. */
  private static List<Row> puts(Row report) {
    List<Row> puts = new ArrayList<>();
    for (Row query : report.rows("puts")) {
      puts.add(put(query, "plain").and(query.row("plain")));
      puts.add(put(query, "Spyhop").and(query.row("spyhop")));
    }
    return puts;
  }

  private static Row put(Row query, String table) {
    return Row.of("name", query.at("name")).and("layout", query.at("layout")).and("table", table);
  }

  private static TitledTable puts(List<Row> puts) {
    return TitledTable.of(
        "Puts, in milliseconds",
        puts,
        Column.text("query beside", "name"),
        LAYOUT,
        Column.text("table", "table"),
        Column.of("longest alone", "alone_longest_ms", Texts::millis),
        Column.of("beside", "beside_longest_ms", Texts::millis),
        Column.of("p99 alone", "alone_p99_ms", Texts::millis),
        Column.of("beside", "beside_p99_ms", Texts::millis),
        Column.of("queries", "queries", Texts::count));
  }

  /** One for each state and layout that was asked. */
  @Override
  List<Plot> plots(Row report) {
    Map<String, List<Row>> states =
        report.rows("queries").stream()
            .collect(
                Collectors.groupingBy(MdrqLayout::place, LinkedHashMap::new, Collectors.toList()));
    List<Plot> plots = new ArrayList<>();
    states.forEach(
        (state, queries) ->
            plots.add(
                new Plot(state, "time of the plain scan / of Spyhop")
                    .series(
                        "times as fast", queries, q -> q.text("name"), q -> q.number("ratio"))));
    return plots;
  }

  @Override
  Object settings(Row report) {
    return Row.of("rows", report.at("rows")).and("regions", report.at("regions"));
  }
}
