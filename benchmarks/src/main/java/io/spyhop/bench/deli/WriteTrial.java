package io.spyhop.bench.deli;

import io.spyhop.bench.Compaction;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.core.schema.Repair;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Writes the same updates into the three tables, slice by slice in turns A B C C B A, and compacts
 * them in the end: figure 7 and table II of the paper.
 *
 * <p>The first slices are not measured; they leave every table with rows in HFiles. After each
 * slice the table is left in peace until no delete is pending, which is counted as online, and
 * flushed with its index, which is counted as offline; so no table pays for what another left
 * behind.
 */
final class WriteTrial {
  private static final List<Mode> MODES = List.of(Mode.values());
  private static final int SINGLE_ROUNDS = 2;
  private static final long SEED = 4_711;

  private final Scene scene;
  private final Map<Mode, WriteSide> sides = new EnumMap<>(Mode.class);
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Zipf zipf;

  WriteTrial(Scene scene) {
    this.scene = scene;
    this.zipf = new Zipf(scene.settings().keys(), Settings.ZIPF_EXPONENT, SEED);
    MODES.forEach(m -> sides.put(m, new WriteSide()));
  }

  /** Makes the tables and measures everything. */
  Map<Mode, WriteSide> run(Progress.Factory progress) throws IOException {
    create();
    warmUp(progress);
    try (Progress shown = progress.start("Writing", (long) MODES.size() * Settings.SLICES)) {
      for (int round = 0; round < Settings.SLICES; round++) {
        Slice slice = updates(scene.settings().sliceOps());
        for (Mode mode : Mode.inTurn(MODES, round)) {
          writeBatches(mode, slice);
          shown.step(1);
        }
      }
    }
    try (Progress shown = progress.start("Compacting", MODES.size())) {
      for (Mode mode : MODES) {
        compact(mode);
        shown.step(1);
      }
    }
    try (Progress shown =
        progress.start("Writing single puts", (long) MODES.size() * SINGLE_ROUNDS)) {
      for (int round = 0; round < SINGLE_ROUNDS; round++) {
        Slice slice = updates(scene.settings().singleOps());
        for (Mode mode : Mode.inTurn(MODES, round)) {
          writeSingles(mode, slice);
          shown.step(1);
        }
      }
    }
    return sides;
  }

  private Slice updates(int size) {
    return Slice.updates(size, zipf, scene.settings().values(), random);
  }

  private void create() throws IOException {
    for (Mode mode : MODES) {
      if (mode.isIndexed()) {
        scene.create(
            mode.table(),
            scene.settings().keys(),
            scene.settings().values(),
            mode.maintenance(),
            Repair.STREAMING);
      } else {
        scene.create(mode.table(), scene.settings().keys());
      }
    }
  }

  /**
   * Every row exists afterwards, and the servers have compiled what they run: on two cores the
   * compiler takes more than half of them for the first minutes, most of it from the one that comes
   * first.
   */
  private void warmUp(Progress.Factory progress) throws IOException {
    fill();
    try (Progress shown =
        progress.start("Warming up", (long) MODES.size() * Settings.WARM_UP_SLICES)) {
      for (int round = 0; round < Settings.WARM_UP_SLICES; round++) {
        Slice slice = updates(scene.settings().sliceOps());
        Slice singles = updates(scene.settings().singleOps());
        for (Mode mode : Mode.inTurn(MODES, round)) {
          scene.write(mode.table(), slice, Settings.BATCH, new Latency());
          scene.write(mode.table(), singles, 1, new Latency());
          scene.flush(mode.table());
          scene.product().quiesce(mode.table());
          shown.step(1);
        }
      }
    }
  }

  private void fill() throws IOException {
    Slice all = Slice.eachOnce(scene.settings().keys(), 0, 1, scene.settings().values(), random);
    for (Mode mode : MODES) {
      scene.fill(mode.table(), all);
    }
  }

  private void writeBatches(Mode mode, Slice slice) throws IOException {
    WriteSide side = sides.get(mode);
    final long blocks = scene.cluster().dataBlocksRead();
    double seconds = scene.write(mode.table(), slice, Settings.BATCH, side.batches);
    long written = System.nanoTime();
    double drainSeconds =
        Math.max(0, Numbers.seconds(written, scene.product().quiesce(mode.table())));
    long online = scene.cluster().dataBlocksRead();
    side.batches(slice.size(), seconds, drainSeconds, online - blocks);
    long start = System.nanoTime();
    scene.flush(mode.table());
    double offline = Numbers.seconds(start, scene.product().quiesce(mode.table()));
    side.offline(offline, scene.cluster().dataBlocksRead() - online);
  }

  private void compact(Mode mode) throws IOException {
    long blocks = scene.cluster().dataBlocksRead();
    long start = System.nanoTime();
    Compaction.run(scene.connection(), mode.table());
    double seconds = Numbers.seconds(start, scene.product().quiesce(mode.table()));
    sides.get(mode).offline(seconds, scene.cluster().dataBlocksRead() - blocks);
  }

  private void writeSingles(Mode mode, Slice slice) throws IOException {
    WriteSide side = sides.get(mode);
    side.singles(slice.size(), scene.write(mode.table(), slice, 1, side.singles));
    scene.product().quiesce(mode.table());
  }
}
