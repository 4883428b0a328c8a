package io.spyhop.bench.dynahash;

import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
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

  private final ElasticCluster.Source clusters;
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
      ElasticCluster.Source clusters,
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
    return Row.of("settings", settings())
        .and(
            "rebalance",
            run(
                Part.REBALANCE,
                new RebalanceTrial(clusters, rows, repetitions, staticBuckets)::run,
                progress))
        .and(
            "overhead",
            run(
                Part.OVERHEAD,
                new OverheadTrial(clusters, rows, ROUNDS * repetitions)::run,
                progress))
        .and(
            "under_load",
            run(Part.UNDER_LOAD, new LoadTrial(clusters, rows, repetitions, pause)::run, progress))
        .and("split", run(Part.SPLIT, new SplitTrial(clusters, rows, repetitions)::run, progress));
  }

  private Row settings() {
    return Row.of("rows", rows)
        .and("repetitions", repetitions)
        .and("servers", SERVERS)
        .and("buckets", BUCKETS)
        .and("static_buckets", staticBuckets)
        .and("pause_seconds", pause.toSeconds());
  }

  /** An experiment. */
  private interface Trial {
    List<Row> run(Progress.Factory progress) throws IOException;
  }

  private List<Row> run(Part part, Trial trial, Progress.Factory progress) throws IOException {
    return parts.contains(part) ? trial.run(progress) : List.of();
  }
}
