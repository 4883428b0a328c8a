package io.spyhop.bench.remix;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * The same flushes and compactions of two tables, one with a view of all its HFiles, by turns. What
 * making the next view takes is not measured: it is awaited in between. Not thread-safe.
 */
final class UpkeepTrial {
  private static final int FILES = 8;
  private static final int FLUSHES = 6;
  private static final int COMPACTIONS = 3;
  private static final int SHARE = 8;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Connection connection;
  private final Supplier<List<HRegionServer>> servers;
  private final int rows;
  private final Random random = new Random(11);

  UpkeepTrial(Connection connection, Supplier<List<HRegionServer>> servers, int rows) {
    this.connection = connection;
    this.servers = servers;
    this.rows = rows;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    RemixTable with = table("remix_upkeep_with", true);
    RemixTable without = table("remix_upkeep_without", false);
    List<RemixTable> both = List.of(without, with);
    List<List<Double>> flushes = List.of(new ArrayList<>(), new ArrayList<>());
    List<List<Double>> compactions = List.of(new ArrayList<>(), new ArrayList<>());
    for (int c = 0; c < COMPACTIONS; c++) {
      for (RemixTable t : both) {
        t.load(rows, c == 0 ? FILES : 2, progress);
      }
      with.awaitView();
      for (int f = 0; f < FLUSHES; f++) {
        put(both);
        byTurns(f, both, flushes, t -> t.region().flush(true));
        with.awaitView();
      }
      byTurns(c, both, compactions, t -> t.region().compact(true));
    }
    boolean equal = with.checksum() == without.checksum();
    with.drop();
    without.drop();
    return List.of(result("flush", flushes, equal), result("compaction", compactions, equal));
  }

  private RemixTable table(String name, boolean views) throws IOException {
    return new RemixTable(
        connection,
        servers,
        name,
        DataBlockEncoding.ROW_INDEX_V1,
        views,
        t ->
            t.setValue("hbase.hstore.compaction.min", "1000")
                .setValue("hbase.hstore.compaction.max", "1000")
                .setValue("hbase.hstore.blockingStoreFiles", "1000"));
  }

  private void put(List<RemixTable> tables) throws IOException {
    long seed = random.nextInt();
    for (RemixTable t : tables) {
      t.put(new Random(seed).ints(rows / SHARE, 0, rows));
    }
  }

  /** The measurements of a table. */
  private interface Work {
    void of(RemixTable table) throws IOException;
  }

  private static void byTurns(
      int turn, List<RemixTable> tables, List<List<Double>> millis, Work work) throws IOException {
    for (int i = 0; i < tables.size(); i++) {
      int next = (turn + i) % tables.size();
      long began = System.nanoTime();
      work.of(tables.get(next));
      millis.get(next).add((System.nanoTime() - began) / NANOS_PER_MILLI);
    }
  }

  private static Row result(String op, List<List<Double>> millis, boolean equal) {
    return Row.of("op", op)
        .and("without_ms", Numbers.median(millis.get(0)))
        .and("with_ms", Numbers.median(millis.get(1)))
        .and("equal", equal);
  }
}
