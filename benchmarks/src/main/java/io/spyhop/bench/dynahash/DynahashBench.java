package io.spyhop.bench.dynahash;

import io.spyhop.bench.Progress;
import java.io.IOException;

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

  /**
   * @param rows of each table
   * @param repetitions rebalances of each kind
   * @param staticBuckets of the scheme with as many buckets from the start; the paper has 256
   */
  public DynahashBench(
      ElasticCluster.Source clusters, int rows, int repetitions, int staticBuckets) {
    this.clusters = clusters;
    this.rows = rows;
    this.repetitions = repetitions;
    this.staticBuckets = staticBuckets;
  }

  /** Loads and measures. */
  public DynahashReport run(Progress.Factory progress) throws IOException {
    return new DynahashReport(
        new DynahashReport.Settings(rows, repetitions, SERVERS, BUCKETS, staticBuckets),
        new RebalanceTrial(clusters, rows, repetitions, staticBuckets).run(progress),
        new OverheadTrial(clusters, rows, ROUNDS * repetitions).run(progress),
        new LoadTrial(clusters, rows, repetitions).run(progress));
  }
}
