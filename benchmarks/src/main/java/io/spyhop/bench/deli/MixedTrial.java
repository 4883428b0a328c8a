package io.spyhop.bench.deli;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Reads and writes, mixed in several ratios, on the tables that the write trial left: figure 8 of
 * the paper. Before it every row is written once more and both tables are flushed. The two tables
 * take turns D S S D at each ratio.
 */
final class MixedTrial {
  private static final List<Mode> MODES = List.of(Mode.DEFERRED, Mode.SYNC);
  private static final int ROUNDS = 2;

  /** Compiling what reads run takes most of the processors for some ten seconds. */
  private static final int WARM_UP_TURNS = 5;

  private static final long SEED = 815;
  private static final double MILLIS = 1e3;

  private final Scene scene;
  private final Map<Mode, MixedSide> sides = new EnumMap<>(Mode.class);

  MixedTrial(Scene scene) {
    this.scene = scene;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    prepare();
    ExecutorService pool = Executors.newFixedThreadPool(PutLoader.WRITERS);
    List<Row> rows = new ArrayList<>();
    try (Progress shown =
        progress.start(
            "Reading and writing", (long) Settings.READ_RATIOS.size() * ROUNDS * MODES.size())) {
      for (Mode mode : MODES) {
        Duration warmUp = turn().multipliedBy(WARM_UP_TURNS);
        sides.get(mode).run(pool, 1.0 / 2, warmUp, new MixedSide.Figures());
        scene.product().quiesce(mode.table());
      }
      for (double ratio : Settings.READ_RATIOS) {
        rows.add(measure(pool, ratio, shown));
      }
    } finally {
      pool.shutdownNow();
    }
    return rows;
  }

  private void prepare() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    Zipf zipf = new Zipf(scene.settings().keys(), Settings.ZIPF_EXPONENT, SEED);
    Slice aged =
        Slice.updates(scene.settings().sliceOps(), zipf, scene.settings().values(), random);
    Slice all = Slice.eachOnce(scene.settings().keys(), 0, 1, scene.settings().values(), random);
    for (Mode mode : MODES) {
      scene.write(mode.table(), aged, Settings.BATCH, new Latency());
      scene.fill(mode.table(), all);
      sides.put(mode, new MixedSide(scene, mode.table(), all, zipf));
    }
  }

  private Row measure(ExecutorService pool, double ratio, Progress shown) throws IOException {
    Map<Mode, MixedSide.Figures> figures = new EnumMap<>(Mode.class);
    MODES.forEach(m -> figures.put(m, new MixedSide.Figures()));
    for (int round = 0; round < ROUNDS; round++) {
      for (Mode mode : Mode.inTurn(MODES, round)) {
        sides.get(mode).run(pool, ratio, turn(), figures.get(mode));
        scene.product().quiesce(mode.table());
        shown.step(1);
      }
    }
    MixedSide.Figures deferred = figures.get(Mode.DEFERRED);
    MixedSide.Figures sync = figures.get(Mode.SYNC);
    return Row.of("read_ratio", ratio)
        .and("deferred_ops", deferred.rate())
        .and("sync_ops", sync.rate())
        .and("ratio", Numbers.ratio(deferred.rate(), sync.rate()))
        .and("deferred_ms", deferred.millis())
        .and("sync_ms", sync.millis());
  }

  private Duration turn() {
    return Duration.ofMillis(Math.round(scene.settings().mixedSeconds() * MILLIS));
  }
}
