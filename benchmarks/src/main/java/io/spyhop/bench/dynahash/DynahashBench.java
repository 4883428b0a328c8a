package io.spyhop.bench.dynahash;

import io.spyhop.bench.Progress;
import java.io.IOException;

/** Runs the experiments, each on clusters of its own. Not thread-safe. */
public final class DynahashBench {
  /** Region servers at first. */
  public static final int SERVERS = 3;

  static final int BUCKETS = 8;

  /** As in the paper. */
  static final int STATIC_BUCKETS = 256;

  private static final int ROUNDS = 7;

  private final ElasticCluster.Source clusters;
  private final int rows;
  private final int repetitions;

  /**
   * @param rows of each table
   * @param repetitions rebalances of each kind
   */
  public DynahashBench(ElasticCluster.Source clusters, int rows, int repetitions) {
    this.clusters = clusters;
    this.rows = rows;
    this.repetitions = repetitions;
  }

  /** Loads and measures. */
  public DynahashReport run(Progress.Factory progress) throws IOException {
    return new DynahashReport(
        new DynahashReport.Settings(rows, repetitions, SERVERS, BUCKETS, STATIC_BUCKETS),
        new RebalanceTrial(clusters, rows, repetitions).run(progress),
        new OverheadTrial(clusters, rows, ROUNDS * repetitions).run(progress),
        new LoadTrial(clusters, rows, repetitions).run(progress));
  }
}
