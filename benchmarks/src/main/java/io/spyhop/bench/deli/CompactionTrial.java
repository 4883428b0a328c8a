package io.spyhop.bench.deli;

import io.spyhop.bench.Compaction;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Parallel;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.core.schema.Maintenance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;

/**
 * Major compactions of tables with as many HFiles, loaded with the same data, of which each looks
 * for obsolete entries in another way: figure 9 of the paper. Each repetition loads four new tables
 * and compacts them one after the other, every second time in the opposite order.
 *
 * <p>What is timed goes from the request until every region has one HFile and no delete is pending.
 * The block cache is as the load left it: nothing has read the files, and HBase does not cache what
 * it writes. The operating system's cache has them.
 */
final class CompactionTrial {
  private static final List<CompactionMode> MODES = List.of(CompactionMode.values());
  private static final int FILES = 6;
  private static final int LOAD_BATCH = 500;
  private static final long SEED = 42;

  private final Scene scene;

  CompactionTrial(Scene scene) {
    this.scene = scene;
  }

  /** A data set. */
  private enum Data {
    /** Every row once. */
    SINGLE(1),
    /** Every row three times. */
    MULTI(3);

    private final int versions;

    Data(int versions) {
      this.versions = versions;
    }

    /** Each set has as many cells. */
    int rows(Settings settings) {
      return settings.rows() / versions;
    }

    /**
     * One slice of as many values as rows for each HFile of a region; each has rows of the whole
     * key range.
     */
    List<Slice> slices(int rows) {
      SplittableRandom random = new SplittableRandom(SEED);
      int step = FILES / versions;
      List<Slice> slices = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        slices.add(Slice.eachOnce(rows, i % step, step, rows, random));
      }
      return slices;
    }
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    List<Row> rows = new ArrayList<>();
    int total = Data.values().length * scene.settings().repetitions() * MODES.size();
    try (Progress shown = progress.start("Compacting in four ways", total)) {
      warmUp();
      for (Data data : Data.values()) {
        rows.addAll(measure(data, shown));
      }
    }
    return rows;
  }

  /** The first compactions of a JVM are slow; nobody shall pay for them. */
  private void warmUp() throws IOException {
    Map<CompactionMode, TableName> loaded = load(Data.MULTI, "warmup");
    for (CompactionMode mode : MODES) {
      compact(mode, loaded.get(mode));
    }
  }

  private List<Row> measure(Data data, Progress shown) throws IOException {
    Map<CompactionMode, List<Double>> seconds = new EnumMap<>(CompactionMode.class);
    Map<CompactionMode, List<Double>> blocks = new EnumMap<>(CompactionMode.class);
    for (CompactionMode mode : MODES) {
      seconds.put(mode, new ArrayList<>());
      blocks.put(mode, new ArrayList<>());
    }
    for (int round = 0; round < scene.settings().repetitions(); round++) {
      Map<CompactionMode, TableName> loaded = load(data, String.valueOf(round));
      List<CompactionMode> order = new ArrayList<>(MODES);
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (CompactionMode mode : order) {
        long before = scene.cluster().dataBlocksRead();
        seconds.get(mode).add(compact(mode, loaded.get(mode)));
        blocks.get(mode).add((double) (scene.cluster().dataBlocksRead() - before));
        shown.step(1);
      }
    }
    double ideal = Numbers.median(seconds.get(CompactionMode.NONE));
    return MODES.stream().map(m -> row(data, m, seconds.get(m), blocks.get(m), ideal)).toList();
  }

  private static Row row(
      Data data, CompactionMode mode, List<Double> seconds, List<Double> blocks, double ideal) {
    double median = Numbers.median(seconds);
    return Row.of("dataset", data.name().toLowerCase(Locale.ROOT))
        .and("mode", mode.text())
        .and("seconds", median)
        .and("ratio", Numbers.ratio(median, ideal))
        .and("block_reads", Math.round(Numbers.median(blocks)))
        .and("all_seconds", seconds.stream().map(Numbers::rounded).toList());
  }

  private Map<CompactionMode, TableName> load(Data data, String repetition) throws IOException {
    Map<CompactionMode, TableName> loaded = new EnumMap<>(CompactionMode.class);
    MODES.forEach(m -> loaded.put(m, m.table(data.name() + repetition)));
    int rows = data.rows(scene.settings());
    forEach(
        loaded,
        (mode, table) -> scene.create(table, rows, rows, Maintenance.DEFERRED, mode.repair()));
    for (Slice slice : data.slices(rows)) {
      for (TableName table : loaded.values()) {
        scene.write(table, slice, LOAD_BATCH, new Latency());
      }
      forEach(loaded, (mode, table) -> scene.flush(table));
    }
    for (TableName table : loaded.values()) {
      scene.product().quiesce(table);
    }
    return loaded;
  }

  /** Something that is done to each of the scene. */
  @FunctionalInterface
  private interface Step {
    void run(CompactionMode mode, TableName table) throws IOException;
  }

  /** Nothing of this is measured, so it goes side by side. */
  private static void forEach(Map<CompactionMode, TableName> loaded, Step step) throws IOException {
    List<Callable<Void>> steps = new ArrayList<>();
    loaded.forEach(
        (mode, table) ->
            steps.add(
                () -> {
                  step.run(mode, table);
                  return null;
                }));
    ExecutorService pool = Executors.newFixedThreadPool(steps.size());
    try {
      Parallel.all(pool, steps);
    } finally {
      pool.shutdownNow();
    }
  }

  private double compact(CompactionMode mode, TableName table) throws IOException {
    long start = System.nanoTime();
    if (mode == CompactionMode.BEFORE) {
      scene.product().repairBefore(table);
    }
    Compaction.run(scene.connection(), table);
    return Numbers.seconds(start, scene.product().quiesce(table));
  }
}
