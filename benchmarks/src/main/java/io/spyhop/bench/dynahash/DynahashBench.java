package io.spyhop.bench.dynahash;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Runs the experiments, each on clusters of its own. Not thread-safe. */
public final class DynahashBench {
  /** Region servers at first. */
  public static final int SERVERS = 3;

  static final int BUCKETS = 8;

  private static final int ROUNDS = 7;
  private static final int SMALL_ROWS = 20_000;
  private static final int SMALL_ROUNDS = 200;

  private final BenchCluster.Source clusters;
  private final int rows;
  private final int repetitions;
  private final int staticBuckets;
  private final Duration pause;
  private final Set<Part> parts;

  /** Experiments. */
  public enum Part {
    /** Servers that go and come. */
    REBALANCE,
    /** A bucketed table against a plain one. */
    OVERHEAD,
    /** Few rows of a bucketed table against a plain one. */
    SMALL,
    /** Rebalances beside writers and queries. */
    UNDER_LOAD,
    /** How long splits keep clients waiting. */
    SPLIT
  }

  /**
   * @param rows of each table
   * @param repetitions rebalances of each kind
   * @param staticBuckets of the scheme with as many buckets from the start; the paper has 256
   * @param pause between two buckets beside writers and queries; there is none otherwise
   * @param parts those to run; the report has nothing of the others
   */
  public DynahashBench(
      BenchCluster.Source clusters,
      int rows,
      int repetitions,
      int staticBuckets,
      Duration pause,
      Set<Part> parts) {
    this.clusters = clusters;
    this.rows = rows;
    this.repetitions = repetitions;
    this.staticBuckets = staticBuckets;
    this.pause = pause;
    this.parts = Set.copyOf(parts);
  }

  /** Loads and measures. */
  public Row run(Progress.Factory progress) throws IOException {
    RebalanceTrial rebalance = new RebalanceTrial(clusters, rows, repetitions, staticBuckets);
    return Row.of("settings", settings())
        .and("rebalance", parts.contains(Part.REBALANCE) ? rebalance.run(progress) : List.of())
        .and("overhead", run(Part.OVERHEAD, s -> overhead(s).run(progress)))
        .and("small", small(progress))
        .and("under_load", run(Part.UNDER_LOAD, s -> underLoad(s).run(progress)))
        .and("split", run(Part.SPLIT, s -> new SplitTrial(s, repetitions).run(progress)));
  }

  private OverheadTrial overhead(Scene scene) {
    return new OverheadTrial(scene, ROUNDS * repetitions);
  }

  private LoadTrial underLoad(Scene scene) {
    return new LoadTrial(scene, repetitions, pause);
  }

  private Row settings() {
    return Row.of("rows", rows)
        .and("repetitions", repetitions)
        .and("servers", SERVERS)
        .and("buckets", BUCKETS)
        .and("static_buckets", staticBuckets)
        .and("pause_seconds", pause.toSeconds());
  }

  private List<Row> small(Progress.Factory progress) throws IOException {
    int trials = SMALL_ROUNDS * repetitions;
    return run(Part.SMALL, SMALL_ROWS, s -> new SmallTrial(s, trials).run(progress));
  }

  private List<Row> run(Part part, IoFunction<Scene, List<Row>> trial) throws IOException {
    return run(part, rows, trial);
  }

  private List<Row> run(Part part, int rows, IoFunction<Scene, List<Row>> trial)
      throws IOException {
    if (!parts.contains(part)) {
      return List.of();
    }
    try (Scene scene = Scene.start(clusters, rows)) {
      return trial.apply(scene);
    }
  }
}
