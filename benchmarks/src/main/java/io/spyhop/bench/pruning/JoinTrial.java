package io.spyhop.bench.pruning;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the paper's queries whole, with the table of sales, by one client in turns O P B B P O, and
 * compares the results. Not thread-safe.
 */
final class JoinTrial {
  private static final List<Way> WAYS = List.of(Way.OPS, Way.STRICT, Way.BOUNDED);
  private static final int CACHING = 1_000;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Connection connection;
  private final Dataset data;
  private final Client client;
  private final Settings settings;

  JoinTrial(Connection connection, Dataset data, Client client, Settings settings) {
    this.connection = connection;
    this.data = data;
    this.client = client;
    this.settings = settings;
  }

  /** The times of one way. */
  private static final class Times {
    private final List<Double> dimensions = new ArrayList<>();
    private final List<Double> whole = new ArrayList<>();

    private void add(Join.Answer answer) {
      dimensions.add(answer.dimensionNanos() / NANOS_PER_MILLI);
      whole.add(answer.nanos() / NANOS_PER_MILLI);
    }
  }

  /** One row for each query. */
  List<Row> run(Progress.Factory progress) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (Progress shown = progress.start("Joining", PaperQuery.values().length)) {
      for (PaperQuery query : PaperQuery.values()) {
        rows.add(measured(query));
        shown.step(1);
      }
    }
    return rows;
  }

  private Row measured(PaperQuery query) throws IOException {
    Map<Way, Times> times = new EnumMap<>(Way.class);
    WAYS.forEach(w -> times.put(w, new Times()));
    List<Join> joins =
        query.instances(settings.joins()).stream().map(scans -> new Join(query, scans)).toList();
    List<SortedMap<String, Join.Total>> expected = new ArrayList<>();
    for (Join join : joins) {
      expected.add(join.ask(plain()).totals());
    }
    boolean equal = true;
    for (int round = -1; round < settings.rounds(); round++) {
      for (int j = 0; j < joins.size(); j++) {
        for (int i = 0; i < WAYS.size(); i++) {
          Way way = WAYS.get(round % 2 == 0 ? i : WAYS.size() - 1 - i);
          Join.Answer answer = joins.get(j).ask(source(way));
          equal &= answer.totals().equals(expected.get(j));
          if (round >= 0) {
            times.get(way).add(answer);
          }
        }
      }
    }
    double sales =
        expected.stream()
            .flatMap(totals -> totals.values().stream())
            .mapToLong(Join.Total::count)
            .sum();
    Row row =
        Row.of("name", query.title())
            .and("load", "join")
            .and("sales", Numbers.ratio(sales, joins.size()));
    for (Way way : WAYS) {
      String side = way == Way.STRICT ? "pps" : way == Way.OPS ? "ops" : "bounded";
      row.and(side + "_dimensions_ms", Numbers.median(times.get(way).dimensions))
          .and(side + "_ms", Numbers.median(times.get(way).whole));
    }
    return row.and("equal", equal);
  }

  private Join.Source source(Way way) {
    return new Join.Source() {
      @Override
      public void rows(TableScan scan, Consumer<Result> rows) throws IOException {
        client.ask(List.of(scan), way, rows);
      }

      @Override
      public void sales(Consumer<Result> rows) throws IOException {
        client.all(TpcdsTable.STORE_SALES, rows);
      }
    };
  }

  /** Nothing of Spyhop has a part in it. */
  private Join.Source plain() {
    return new Join.Source() {
      @Override
      public void rows(TableScan scan, Consumer<Result> rows) throws IOException {
        scan(
            scan.table(),
            row -> {
              if (scan.matches(c -> row.getValue(TpcdsTable.FAMILY, Bytes.toBytes(c)))) {
                rows.accept(row);
              }
            });
      }

      @Override
      public void sales(Consumer<Result> rows) throws IOException {
        scan(TpcdsTable.STORE_SALES, rows);
      }
    };
  }

  private void scan(TpcdsTable of, Consumer<Result> rows) throws IOException {
    try (Table table = connection.getTable(data.name(of));
        ResultScanner scanner = table.getScanner(new Scan().setCaching(CACHING))) {
      scanner.forEach(rows);
    }
  }
}
