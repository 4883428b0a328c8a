package io.spyhop.cli.output;

import io.spyhop.bench.dynahash.DynahashReport;
import io.spyhop.bench.dynahash.DynahashReport.Overhead;
import io.spyhop.bench.dynahash.DynahashReport.Rebalance;
import io.spyhop.bench.dynahash.DynahashReport.Split;
import io.spyhop.bench.dynahash.DynahashReport.UnderLoad;
import java.util.List;

/** A report as runs give it, with made-up numbers. */
public final class DynahashSample {
  private DynahashSample() {}

  /** Of {@code bench dynahash}. */
  public static DynahashReport report() {
    return new DynahashReport(
        new DynahashReport.Settings(200_000, 3, 3, 8, 256, 10),
        List.of(
            rebalance(DynahashReport.DYNAHASH, DynahashReport.REMOVE, 5.5, 1_500_000),
            rebalance(DynahashReport.REHASH, DynahashReport.REMOVE, 30, 60_000_000),
            rebalance(DynahashReport.DYNAHASH, DynahashReport.ADD, 4.5, 1_600_000)),
        List.of(
            new Overhead("ordered scan", 1_200, 1_500, 1.25, true),
            new Overhead("unordered scan", 1_200, 1_230, 1.03, false)),
        List.of(
            new UnderLoad(0, 5, 20, 24, 21, 0, 400, true),
            new UnderLoad(0.8, 9, 30, 60, 32, 8_123.4, 300, true)),
        List.of(
            new Split("bucketed", 240, 180, 333, true), new Split("plain", 230, 170, 260, true)));
  }

  private static Rebalance rebalance(String scheme, String change, double seconds, long bytes) {
    return new Rebalance(scheme, change, seconds, bytes, 1_500_000, 1.125, 0, 3, 1_537, true);
  }
}
