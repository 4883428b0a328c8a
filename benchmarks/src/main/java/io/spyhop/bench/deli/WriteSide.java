package io.spyhop.bench.deli;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Row;
import java.util.ArrayList;
import java.util.List;

/** Collects the figures of one table in the write trial. Not thread-safe. */
final class WriteSide {
  final Latency batches = new Latency();
  final Latency singles = new Latency();
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> drainedRates = new ArrayList<>();
  private final List<Double> singleRates = new ArrayList<>();
  private double onlineSeconds;
  private double offlineSeconds;
  private long onlineBlocks;
  private long offlineBlocks;

  /**
   * A slice was written in batches.
   *
   * @param seconds until the last put was acknowledged
   * @param drainSeconds from then until no delete was pending
   * @param blocks data blocks read in that time
   */
  void batches(int ops, double seconds, double drainSeconds, long blocks) {
    rates.add(ops / seconds);
    drainedRates.add(ops / (seconds + drainSeconds));
    onlineSeconds += seconds + drainSeconds;
    onlineBlocks += blocks;
  }

  void singles(int ops, double seconds) {
    singleRates.add(ops / seconds);
  }

  /** Flushes and compactions took that long, until all deletes were acknowledged. */
  void offline(double seconds, long blocks) {
    offlineSeconds += seconds;
    offlineBlocks += blocks;
  }

  double rate() {
    return Numbers.median(rates);
  }

  double drainedRate() {
    return Numbers.median(drainedRates);
  }

  double singleRate() {
    return Numbers.median(singleRates);
  }

  long onlineBlocks() {
    return onlineBlocks;
  }

  /** One row of the paper's Table II. */
  Row overhead(Mode mode) {
    return Row.of("mode", mode.text())
        .and("online_s", Numbers.rounded(onlineSeconds))
        .and("offline_s", Numbers.rounded(offlineSeconds))
        .and("total_s", Numbers.rounded(onlineSeconds + offlineSeconds))
        .and("online_block_reads", onlineBlocks)
        .and("offline_block_reads", offlineBlocks)
        .and("total_block_reads", onlineBlocks + offlineBlocks);
  }
}
