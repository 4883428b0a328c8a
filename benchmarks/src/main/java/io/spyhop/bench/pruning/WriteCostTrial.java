package io.spyhop.bench.pruning;

import io.spyhop.bench.CpuTime;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.Row;
import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/**
 * Measures the cost of statistics for writes: the same rows into a table without and one with
 * statistics of two of its three columns, in turns A B B A. Not thread-safe.
 */
final class WriteCostTrial {
  private static final TpcdsTable TABLE = TpcdsTable.TIME_DIM;
  private static final int BATCH = 500;
  private static final int WARM_UP = 4;

  /** How often a turn writes all rows: what takes less than a second says little here. */
  private static final int PASSES = 2;

  private static final int ROUNDS_EACH = 6;
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
  Row run(Progress.Factory progress) throws IOException {
    without.load(settings.partitionKb(), progress);
    with.load(settings.partitionKb(), progress);
    List<Put> rows = with.sample(TABLE, 1);
    int rounds = ROUNDS_EACH * settings.rounds();
    List<Double> plain = new ArrayList<>();
    List<Double> recorded = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    List<Double> cpuRatios = new ArrayList<>();
    try (PutLoader loader = new PutLoader(connection);
        Progress shown = progress.start("Write cost", WARM_UP + rounds)) {
      for (int round = -WARM_UP; round < rounds; round++) {
        boolean first = round % 2 == 0;
        Turn a = write(loader, first ? without : with, rows);
        Turn b = write(loader, first ? with : without, rows);
        Turn base = first ? a : b;
        Turn more = first ? b : a;
        if (round >= 0) {
          plain.add(base.seconds());
          recorded.add(more.seconds());
          ratios.add(more.seconds() / base.seconds());
          cpuRatios.add(more.cpu() / base.cpu());
        }
        shown.step(1);
      }
    }
    without.drop();
    with.drop();
    return Row.of("rows", rows.size() * PASSES)
        .and("plain_s", Numbers.median(plain))
        .and("recorded_s", Numbers.median(recorded))
        .and("ratio", Numbers.median(ratios))
        .and("cpu_ratio", Numbers.median(cpuRatios));
  }

  /**
   * The cost of writing all rows a few times.
   *
   * @param seconds until all is acknowledged
   * @param cpu seconds of processor time, with a flush and a major compaction
   */
  private record Turn(double seconds, double cpu) {}

  private static Turn write(PutLoader loader, Dataset data, List<Put> rows) throws IOException {
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
      Duration before = CpuTime.now();
      Duration time = loader.load(data.name(TABLE), source, silent);
      data.compact();
      Duration cpu = CpuTime.now().minus(before);
      return new Turn(time.toNanos() / NANOS, cpu.toNanos() / NANOS);
    }
  }
}
