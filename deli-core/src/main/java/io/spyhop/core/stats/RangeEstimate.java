package io.spyhop.core.stats;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Estimates how many entries an index read of key ranges meets. Where the histogram leaves open
 * whether there are some or many, as its intervals are cut, blocks are counted if there are enough
 * of them to tell. If not, entries are counted from the range's beginning until the most that is
 * possible is no more than three times what there is at least; the estimate lies between, and is
 * off by no more than a factor of 2. What is counted is bounded, by {@value #MAX_COUNTED} entries:
 * one range is told that well unless it cuts intervals of three times as many entries, which only
 * histograms with declared bounds have; of many ranges some stand for the others. Use once; not
 * thread-safe.
 */
public final class RangeEstimate {
  /** So many ranges are looked at; of more, as many at equal distances. */
  static final int MAX_LOOKS = 32;

  /** So many entries are counted for one estimate. */
  static final int MAX_COUNTED = 4096;

  private static final int SURE = 3;

  /** Counts the entries of a range. */
  @FunctionalInterface
  public interface Counter {
    /** About how many entries there are, if that can be told without reading any; 0 if not. */
    default double about(KeyRange range) {
      return 0;
    }

    /**
     * Counts from the range's beginning.
     *
     * @param most stop at as many
     * @return how many were counted; all, if fewer than {@code most}
     */
    long count(KeyRange range, long most) throws IOException;
  }

  private final ColumnStatistics statistics;
  private final Counter counter;
  private long left = MAX_COUNTED;

  private RangeEstimate(ColumnStatistics statistics, Counter counter) {
    this.statistics = statistics;
    this.counter = counter;
  }

  /**
   * An estimate with a look at the entries.
   *
   * @throws IOException if the counter does
   */
  public static long of(ColumnStatistics statistics, KeyRanges ranges, Counter counter)
      throws IOException {
    return new RangeEstimate(statistics, counter).estimate(ranges.ranges());
  }

  /** An estimate by the statistics alone. */
  public static long of(ColumnStatistics statistics, KeyRanges ranges) {
    double sum = statistics.counts().unkeyable();
    for (KeyRange r : ranges.ranges()) {
      sum += middle(statistics.between(r));
    }
    return Math.round(sum);
  }

  private long estimate(List<KeyRange> ranges) throws IOException {
    double sum = statistics.counts().unkeyable();
    List<KeyRange> open = new ArrayList<>();
    for (KeyRange r : ranges) {
      Histogram.Between between = statistics.between(r);
      if (between.most() <= SURE * between.least()) {
        sum += middle(between);
      } else {
        open.add(r);
      }
    }
    return Math.round(sum + lookedAt(open));
  }

  /** What there is time for stands for the rest. */
  private double lookedAt(List<KeyRange> ranges) throws IOException {
    int looks = Math.min(ranges.size(), MAX_LOOKS);
    double counted = 0;
    int looked = 0;
    while (looked < looks && left > 0) {
      counted += counted(ranges.get((int) ((long) looked++ * ranges.size() / looks)));
    }
    return looked == 0 ? 0 : counted * ranges.size() / looked;
  }

  private double counted(KeyRange range) throws IOException {
    Histogram.Between between = statistics.between(range);
    double about = counter.about(range);
    if (about > 0) {
      return Math.min(Math.max(about, (double) between.least()), (double) between.most());
    }
    long enough = Math.min((between.most() + SURE - 1) / SURE, left);
    long count = counter.count(range, enough);
    left -= count;
    return count < enough
        ? count
        : middle(new Histogram.Between(Math.max(count, between.least()), between.most()));
  }

  /** As far from the least as from the most. */
  private static double middle(Histogram.Between between) {
    return between.most() == 0
        ? 0
        : Math.sqrt((double) Math.max(1, between.least()) * between.most());
  }
}
