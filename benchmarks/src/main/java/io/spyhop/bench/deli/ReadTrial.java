package io.spyhop.bench.deli;

import io.spyhop.bench.ClientRpcs;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Queries of few rows by values, one after the other, of a table with three indexed columns that
 * nothing writes: {@code v} has another value in each row, {@code g} and {@code h} have the same
 * ones in hundreds. How long a query takes, and how many calls it makes.
 */
final class ReadTrial {
  private static final TableName TABLE = TableName.valueOf("deli_reads");
  private static final String GROUP = "g";
  private static final String OTHER_GROUP = "h";
  private static final int ROWS = 60_000;
  private static final int GROUPS = 150;
  private static final int BATCH = 1_000;
  private static final int LISTED = 20;
  private static final int LIMIT = 10;
  private static final int WARMUPS = 1_000;
  private static final int QUERIES = 1_000;
  private static final long SEED = 1_729;

  private final Scene scene;
  private final Function<Connection, Product> products;

  ReadTrial(Scene scene, Function<Connection, Product> products) {
    this.scene = scene;
    this.products = products;
  }

  /** A kind of query. */
  private enum Side {
    POINT("point"),
    LIST("in20"),
    TWO("two"),
    FIRST("limit10");

    private final String text;

    Side(String text) {
      this.text = text;
    }

    Search search(SplittableRandom random) {
      int key = random.nextInt(ROWS);
      List<Long> group = List.of((long) key % GROUPS);
      return switch (this) {
        case POINT -> Search.of(Map.of(DeliTable.INDEXED, List.of((long) key)));
        case LIST ->
            Search.of(Map.of(DeliTable.INDEXED, random.longs(LISTED, 0, ROWS).boxed().toList()));
        case TWO -> Search.of(Map.of(GROUP, group, OTHER_GROUP, List.of(otherGroup(key))));
        case FIRST -> new Search(Map.of(GROUP, group), LIMIT);
      };
    }
  }

  private static long otherGroup(int key) {
    return key / GROUPS % GROUPS;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    load();
    List<Row> rows = new ArrayList<>();
    try (Connection counted =
            ConnectionFactory.createConnection(
                ClientRpcs.counted(scene.connection().getConfiguration()));
        Product product = products.apply(counted);
        Progress shown = progress.start("Reading by value", Side.values().length)) {
      for (Side side : Side.values()) {
        ask(product, side, WARMUPS, new Latency());
        rows.add(measure(product, side));
        shown.step(1);
      }
    }
    return rows;
  }

  private void load() throws IOException {
    scene.create(TABLE, ROWS, ROWS, Maintenance.DEFERRED, Repair.STREAMING);
    for (String column : List.of(GROUP, OTHER_GROUP)) {
      scene.createIndex(TABLE, column, GROUPS, Maintenance.DEFERRED, Repair.STREAMING);
    }
    for (TableName index : scene.product().indexTables(TABLE)) {
      Placement.spread(scene.connection(), index, 1);
    }
    try (Table table = scene.connection().getTable(TABLE)) {
      for (int from = 0; from < ROWS; from += BATCH) {
        List<Put> puts = new ArrayList<>();
        for (int key = from; key < from + BATCH; key++) {
          puts.add(put(key));
        }
        table.put(puts);
      }
    }
    scene.flush(TABLE);
    scene.product().quiesce(TABLE);
  }

  /** Values are as their rows' keys, but those of one group are in all regions. */
  private static Put put(int key) {
    return DeliTable.put(key, key)
        .addColumn(DeliTable.FAMILY, Bytes.toBytes(GROUP), Bytes.toBytes((long) key % GROUPS))
        .addColumn(DeliTable.FAMILY, Bytes.toBytes(OTHER_GROUP), Bytes.toBytes(otherGroup(key)));
  }

  private Row measure(Product product, Side side) throws IOException {
    Latency times = new Latency();
    long answered = scene.cluster().callsAnswered();
    long called = ClientRpcs.count();
    ask(product, side, QUERIES, times);
    double calls = ClientRpcs.count() - called;
    double answers = scene.cluster().callsAnswered() - answered;
    return Row.of("side", side.text)
        .and("p50_ms", times.medianMillis())
        .and("p99_ms", times.p99Millis())
        .and("calls_per_query", Numbers.rounded(calls / QUERIES))
        .and("server_calls_per_query", Numbers.rounded(answers / QUERIES));
  }

  private void ask(Product product, Side side, int queries, Latency times) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < queries; i++) {
      Search search = side.search(random);
      long start = System.nanoTime();
      int found = product.find(TABLE, search);
      times.since(start);
      if (found == 0) {
        throw new IOException("no row for " + search.condition() + ", though there are some");
      }
    }
  }
}
