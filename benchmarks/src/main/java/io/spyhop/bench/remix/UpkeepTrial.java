package io.spyhop.bench.remix;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.core.io.IoConsumer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * The same flushes and compactions of two tables, one with views, by turns. Making the next view is
 * awaited in between, and what it takes is counted apart. Not thread-safe.
 */
final class UpkeepTrial {
  private static final int FEW_FLUSHES = 12;
  private static final int MANY_FLUSHES = 40;
  private static final int COMPACTIONS = 3;

  /** Flushes between two compactions of all HFiles. */
  private static final int BETWEEN = 3;

  /** A flush has so small a share of all rows. */
  private static final int SHARE = 20;

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
    RemixTable without = table("remix_upkeep_without", false);
    RemixTable with = table("remix_upkeep_with", true);
    List<RemixTable> both = List.of(without, with);
    List<Row> results = new ArrayList<>(flushes(both, with, progress));
    results.add(compactions(both, with));
    with.drop();
    without.drop();
    return results;
  }

  /** Flushes, and the compactions that they lead to. */
  private List<Row> flushes(List<RemixTable> both, RemixTable with, Progress.Factory progress)
      throws IOException {
    List<Row> results = new ArrayList<>();
    List<List<Double>> millis = List.of(new ArrayList<>(), new ArrayList<>());
    ViewCost cost = new ViewCost(servers, with);
    cost.resume();
    try (Progress bar = progress.start("flushes and compactions", MANY_FLUSHES)) {
      for (int f = 1; f <= MANY_FLUSHES; f++) {
        put(both);
        byTurns(f, both, millis, t -> flush(t, with, cost));
        for (RemixTable t : both) {
          t.compactIfNeeded();
          t.awaitQuiet();
        }
        with.checksum(); // a scan, without which there need be no view
        with.awaitSettled();
        bar.step(1);
        if (f == FEW_FLUSHES || f == MANY_FLUSHES) {
          cost.pause();
          results.add(result("flush", cost, millis, both));
          cost.resume();
        }
      }
    }
    return results;
  }

  private Row compactions(List<RemixTable> both, RemixTable with) throws IOException {
    List<List<Double>> millis = List.of(new ArrayList<>(), new ArrayList<>());
    ViewCost cost = new ViewCost(servers, with);
    cost.resume();
    for (int c = 0; c < COMPACTIONS; c++) {
      for (int f = 0; f < BETWEEN; f++) {
        put(both);
        for (RemixTable t : both) {
          flush(t, with, cost);
        }
        with.awaitSettled();
      }
      byTurns(c, both, millis, t -> t.region().compact(true));
    }
    cost.pause();
    return result("compaction", cost, millis, both);
  }

  private static void flush(RemixTable table, RemixTable counted, ViewCost cost)
      throws IOException {
    if (table == counted) {
      cost.flush();
    } else {
      table.region().flush(true);
    }
  }

  private RemixTable table(String name, boolean views) throws IOException {
    return new RemixTable(
        connection, servers, name, DataBlockEncoding.ROW_INDEX_V1, views, RemixTable::keepMany);
  }

  private void put(List<RemixTable> tables) throws IOException {
    long seed = random.nextInt();
    for (RemixTable t : tables) {
      t.put(new Random(seed).ints(rows / SHARE, 0, rows));
    }
  }

  private static void byTurns(
      int turn, List<RemixTable> tables, List<List<Double>> millis, IoConsumer<RemixTable> work)
      throws IOException {
    for (int i = 0; i < tables.size(); i++) {
      int next = (turn + i) % tables.size();
      long began = System.nanoTime();
      work.accept(tables.get(next));
      millis.get(next).add((System.nanoTime() - began) / NANOS_PER_MILLI);
    }
  }

  private static Row result(
      String op, ViewCost cost, List<List<Double>> millis, List<RemixTable> both)
      throws IOException {
    boolean equal = both.get(0).checksum() == both.get(1).checksum();
    return cost.report(op)
        .and("without_ms", Numbers.median(millis.get(0)))
        .and("with_ms", Numbers.median(millis.get(1)))
        .and("equal", equal);
  }
}
