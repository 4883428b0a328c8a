package io.spyhop.bench.pruning;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/**
 * What statistics cost writes: the same rows into a table without and one with statistics of two of
 * its three columns, in turns A B B A. Not thread-safe.
 */
final class WriteCostTrial {
  private static final TpcdsTable TABLE = TpcdsTable.TIME_DIM;
  private static final int BATCH = 500;
  private static final int WARM_UP = 4;

  /** How often a turn writes all rows: what takes less than a second says little here. */
  private static final int PASSES = 4;

  private static final int ROUNDS_EACH = 4;
  private static final double NANOS = 1e9;

  private final Connection connection;
  private final Dataset without;
  private final Dataset with;
  private final Settings settings;

  WriteCostTrial(Connection connection, Declarations declarations, Settings settings) {
    this.connection = connection;
    this.settings = settings;
    List<TpcdsTable> tables = List.of(TABLE);
    this.without = new Dataset(connection, (name, t) -> {}, settings, "unrecorded_", tables);
    this.with = new Dataset(connection, declarations::declare, settings, "recorded_", tables);
  }

  /** Makes both tables, writes them again and again, and drops them. */
  PruningReport.WriteCost run(Progress.Factory progress) throws IOException {
    without.load(settings.partitionKb(), progress);
    with.load(settings.partitionKb(), progress);
    List<Put> rows = with.sample(TABLE, 1);
    int rounds = ROUNDS_EACH * settings.rounds();
    List<Double> plain = new ArrayList<>();
    List<Double> recorded = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (PutLoader loader = new PutLoader(connection);
        Progress shown = progress.start("Write cost", WARM_UP + rounds)) {
      for (int round = -WARM_UP; round < rounds; round++) {
        boolean first = round % 2 == 0;
        double a = write(loader, first ? without : with, rows);
        double b = write(loader, first ? with : without, rows);
        if (round >= 0) {
          plain.add(first ? a : b);
          recorded.add(first ? b : a);
          ratios.add(first ? b / a : a / b);
        }
        shown.step(1);
      }
    }
    without.drop();
    with.drop();
    return new PruningReport.WriteCost(
        rows.size() * PASSES,
        Numbers.median(plain),
        Numbers.median(recorded),
        Numbers.median(ratios));
  }

  /**
   * The seconds that it takes to write all rows a few times; nothing waits for a flush or
   * compaction afterwards.
   */
  private static double write(PutLoader loader, Dataset data, List<Put> rows) throws IOException {
    AtomicInteger next = new AtomicInteger();
    int batches = (rows.size() + BATCH - 1) / BATCH;
    PutLoader.Source source =
        () -> {
          int batch = next.getAndIncrement();
          int from = batch % batches * BATCH;
          return batch < batches * PASSES
              ? rows.subList(from, Math.min(rows.size(), from + BATCH))
              : List.of();
        };
    try (Progress silent = Progress.NONE.start("", 1)) {
      Duration time = loader.load(data.name(TABLE), source, silent);
      data.compact();
      return time.toNanos() / NANOS;
    }
  }
}
