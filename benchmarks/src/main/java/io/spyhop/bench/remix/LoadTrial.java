package io.spyhop.bench.remix;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Parallel;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * Scans and writes by clients through RPC, as YCSB's workload E has them and with half updates:
 * under HBase's defaults, and under the setting that keeps up to 16 HFiles, with and without views.
 * Rows of even numbers are there from the beginning, the others are inserted. Not thread-safe.
 */
final class LoadTrial {
  private static final int CLIENTS = 2;
  private static final int FILES = 9;
  private static final int LONGEST = 100;
  private static final int PERCENT = 100;

  /** Bytes that flushes write are a share of the table's. */
  private static final int FLUSHES = 12;

  private enum Kind {
    SCANS("scans", 5),
    UPDATES("updates", 50);

    private final String shown;
    private final int writes;

    Kind(String shown, int writes) {
      this.shown = shown;
      this.writes = writes;
    }
  }

  private record Setting(
      String name, boolean views, UnaryOperator<TableDescriptorBuilder> options) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("defaults", false, t -> t),
          new Setting("up to 16 files", false, RemixTable::keepMany),
          new Setting("views, up to 16 files", true, RemixTable::keepMany));

  private final Connection connection;
  private final Supplier<List<HRegionServer>> servers;
  private final int rows;
  private final int operations;

  LoadTrial(
      Connection connection, Supplier<List<HRegionServer>> servers, int rows, int operations) {
    this.connection = connection;
    this.servers = servers;
    this.rows = rows;
    this.operations = operations;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    List<Row> results = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (Kind kind : Kind.values()) {
        for (Setting setting : SETTINGS) {
          results.add(measure(kind, setting, pool, progress));
        }
      }
    } finally {
      pool.shutdownNow();
    }
    return results;
  }

  private Row measure(Kind kind, Setting setting, ExecutorService pool, Progress.Factory progress)
      throws IOException {
    RemixTable table =
        new RemixTable(
            connection,
            servers,
            "remix_load",
            DataBlockEncoding.ROW_INDEX_V1,
            setting.views,
            setting.options);
    int[] last = new int[2 * rows];
    AtomicLong put = new AtomicLong(table.load(rows, 2, FILES, last, progress));
    table.awaitQuiet();
    if (setting.views && table.store().getStorefilesCount() > 1) {
      table.awaitView();
    }
    int between = Math.max(1, operations * kind.writes / PERCENT / FLUSHES);
    List<Callable<Void>> clients = new ArrayList<>();
    for (int c = 0; c < CLIENTS; c++) {
      clients.add(new Client(table, kind, c, last, put, between));
    }
    long began = System.nanoTime();
    try (Progress bar = progress.start(kind.shown + ", " + setting.name, operations)) {
      Parallel.all(pool, clients);
      bar.step(operations);
    }
    double seconds = Numbers.secondsSince(began);
    table.awaitQuiet();
    Row result =
        Row.of("load", kind.shown)
            .and("setting", setting.name)
            .and("ops_per_s", Numbers.rounded(operations / seconds))
            .and("write_amplification", Numbers.ratio((double) table.written(), (double) put.get()))
            .and("hfiles", table.store().getStorefilesCount())
            .and("equal", table.has(last));
    table.drop();
    return result;
  }

  /** Writes and scans; of every {@link #CLIENTS} pairs of rows one is its own to write. */
  private final class Client implements Callable<Void> {
    private final RemixTable table;
    private final Kind kind;
    private final int number;
    private final int[] last;
    private final AtomicLong put;
    private final int between;
    private final Random random;
    private int writes;

    Client(RemixTable table, Kind kind, int number, int[] last, AtomicLong put, int between) {
      this.table = table;
      this.kind = kind;
      this.number = number;
      this.last = last;
      this.put = put;
      this.between = between;
      this.random = new Random(number);
    }

    @Override
    public Void call() throws IOException {
      try (Table open = connection.getTable(table.name())) {
        for (int i = number; i < operations; i += CLIENTS) {
          if (random.nextInt(PERCENT) < kind.writes) {
            write(open);
          } else {
            scan(open);
          }
        }
      }
      return null;
    }

    private void write(Table open) throws IOException {
      int pair = random.nextInt(rows / CLIENTS) * CLIENTS + number;
      int row = 2 * pair + (kind == Kind.SCANS ? 1 : 0);
      int seed = random.nextInt(1, Integer.MAX_VALUE);
      Put made = RemixTable.put(row, seed);
      last[row] = seed;
      put.addAndGet(RemixTable.size(made));
      open.put(made);
      if (++writes % between == 0 && number == 0) {
        table.flush();
      }
    }

    private void scan(Table open) throws IOException {
      int limit = 1 + random.nextInt(LONGEST);
      int found = 0;
      int start = random.nextInt(2 * rows - 2 * LONGEST);
      Scan scan =
          new Scan()
              .withStartRow(RemixTable.key(start))
              .addFamily(RemixTable.F)
              .setCaching(limit)
              .setLimit(limit);
      try (ResultScanner scanner = open.getScanner(scan)) {
        for (Result r = scanner.next(); r != null; r = scanner.next()) {
          found++;
        }
      }
      if (found != limit) {
        throw new IOException("found " + found + " rows where " + limit + " are");
      }
    }
  }
}
