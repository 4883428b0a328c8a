package io.spyhop.bench.deli;

import io.spyhop.bench.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the benchmark measured. Rates are puts or operations a second, medians over slices.
 *
 * @param write figure 7a: writing in batches
 * @param p99Ms figure 7b: the 99th percentile of a batch's latency, in milliseconds
 * @param mixed figure 8: one entry a read ratio
 * @param compaction figure 9: one entry a data set and mode
 * @param onlineBlockReads data blocks that the region servers read while the write trial wrote
 * @param p50Ms the median of a batch's latency
 * @param writeDrained as write, but until no delete was pending
 * @param singles writing single puts
 * @param overhead table II
 * @param settings what was asked for
 */
public record DeliReport(
    Rates write,
    PerMode p99Ms,
    List<Mixed> mixed,
    List<Compaction> compaction,
    OnlineBlockReads onlineBlockReads,
    PerMode p50Ms,
    Rates writeDrained,
    Singles singles,
    List<Overhead> overhead,
    Settings settings) {
  /** Copies the lists. */
  public DeliReport {
    mixed = List.copyOf(mixed);
    compaction = List.copyOf(compaction);
    overhead = List.copyOf(overhead);
  }

  static DeliReport of(
      Map<Mode, WriteSide> sides,
      List<Mixed> mixed,
      List<Compaction> compaction,
      Settings settings) {
    return new DeliReport(
        Rates.of(sides, WriteSide::rate),
        PerMode.of(sides, s -> s.batches.p99Millis()),
        mixed,
        compaction,
        new OnlineBlockReads(
            sides.get(Mode.DEFERRED).onlineBlocks(), sides.get(Mode.SYNC).onlineBlocks()),
        PerMode.of(sides, s -> s.batches.medianMillis()),
        Rates.of(sides, WriteSide::drainedRate),
        new Singles(
            Rates.of(sides, WriteSide::singleRate),
            PerMode.of(sides, s -> s.singles.medianMillis()),
            PerMode.of(sides, s -> s.singles.p99Millis())),
        sides.entrySet().stream().map(e -> e.getValue().overhead(e.getKey())).toList(),
        settings);
  }

  /** The name of a mode in reports. */
  static String text(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /**
   * How many a second.
   *
   * @param noneOps without an index
   * @param deferredOps with a deferred one
   * @param syncOps with one that is updated in place
   * @param ratio deferredOps / syncOps
   */
  public record Rates(double noneOps, double deferredOps, double syncOps, double ratio) {
    /** Computes the ratio. */
    public static Rates of(double none, double deferred, double sync) {
      return new Rates(none, deferred, sync, Numbers.ratio(deferred, sync));
    }

    private static Rates of(Map<Mode, WriteSide> sides, ToDoubleFunction<WriteSide> figure) {
      PerMode f = PerMode.of(sides, figure);
      return of(f.none(), f.deferred(), f.sync());
    }
  }

  /**
   * A figure of each table.
   *
   * @param none without an index
   * @param deferred with a deferred one
   * @param sync with one that is updated in place
   */
  public record PerMode(double none, double deferred, double sync) {
    private static PerMode of(Map<Mode, WriteSide> sides, ToDoubleFunction<WriteSide> figure) {
      return new PerMode(
          figure.applyAsDouble(sides.get(Mode.NONE)),
          figure.applyAsDouble(sides.get(Mode.DEFERRED)),
          figure.applyAsDouble(sides.get(Mode.SYNC)));
    }
  }

  /**
   * Single puts.
   *
   * @param write rates
   * @param p50Ms medians of a put's latency
   * @param p99Ms 99th percentiles of it
   */
  public record Singles(Rates write, PerMode p50Ms, PerMode p99Ms) {}

  /**
   * Data blocks of HFiles, from disk or from the block cache.
   *
   * @param deferred while the table with the deferred index was written
   * @param sync while the one was written whose index is updated in place
   */
  public record OnlineBlockReads(long deferred, long sync) {}

  /**
   * A line of table II.
   *
   * @param mode none, deferred or sync
   * @param onlineS writing, until no delete is pending
   * @param offlineS flushes and a major compaction, until no delete is pending
   * @param totalS both
   * @param onlineBlockReads data blocks read meanwhile
   * @param offlineBlockReads data blocks read meanwhile
   * @param totalBlockReads both
   */
  public record Overhead(
      String mode,
      double onlineS,
      double offlineS,
      double totalS,
      long onlineBlockReads,
      long offlineBlockReads,
      long totalBlockReads) {}

  /**
   * A mixture of reads and writes; latencies are 0 where there are no such calls.
   *
   * @param readRatio the share of reads
   * @param deferredOps operations a second with a deferred index
   * @param syncOps operations a second with one that is updated in place
   * @param ratio deferredOps / syncOps
   * @param deferredMs latencies with a deferred index
   * @param syncMs latencies with one that is updated in place
   */
  public record Mixed(
      double readRatio,
      double deferredOps,
      double syncOps,
      double ratio,
      CallMillis deferredMs,
      CallMillis syncMs) {
    static Mixed of(double readRatio, MixedSide.Figures deferred, MixedSide.Figures sync) {
      return new Mixed(
          readRatio,
          deferred.rate(),
          sync.rate(),
          Numbers.ratio(deferred.rate(), sync.rate()),
          CallMillis.of(deferred),
          CallMillis.of(sync));
    }
  }

  /**
   * Latencies in milliseconds.
   *
   * @param readP50 median of a read
   * @param readP99 99th percentile of a read
   * @param writeP50 median of a put
   * @param writeP99 99th percentile of a put
   */
  public record CallMillis(double readP50, double readP99, double writeP50, double writeP99) {
    private static CallMillis of(MixedSide.Figures f) {
      return new CallMillis(
          f.reads.medianMillis(),
          f.reads.p99Millis(),
          f.writes.medianMillis(),
          f.writes.p99Millis());
    }
  }

  /**
   * A kind of compaction.
   *
   * @param dataset single or multi
   * @param mode none, streaming, staged or before
   * @param seconds the median
   * @param ratio seconds / the seconds of none
   * @param blockReads data blocks read, the median
   * @param allSeconds each repetition
   */
  public record Compaction(
      String dataset,
      String mode,
      double seconds,
      double ratio,
      long blockReads,
      List<Double> allSeconds) {
    /** Copies the list. */
    public Compaction {
      allSeconds = List.copyOf(allSeconds);
    }

    static Compaction of(
        String dataset,
        CompactionMode mode,
        List<Double> seconds,
        List<Double> blocks,
        double ideal) {
      double median = Numbers.median(seconds);
      return new Compaction(
          dataset.toLowerCase(Locale.ROOT),
          mode.text(),
          median,
          Numbers.ratio(median, ideal),
          Math.round(Numbers.median(blocks)),
          seconds.stream().map(Numbers::rounded).toList());
    }
  }
}
