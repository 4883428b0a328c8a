package io.spyhop.bench.deli;

import java.util.List;

/**
 * The amount of what is measured.
 *
 * @param ops measured puts into each table in batches; a twentieth more as single puts
 * @param rows puts into each table of the compaction trial, of as many rows or a third of them
 * @param regions regions of each table and of each index table
 * @param mixedSeconds how long each of two turns of each mixture lasts
 * @param repetitions of each compaction
 * @param graceMillis how old findings are before entries are deleted for them, where it is not 0
 */
public record Settings(
    int ops, int rows, int regions, double mixedSeconds, int repetitions, long graceMillis) {
  /** Puts in one call. */
  static final int BATCH = 100;

  /** Measured turns of each table. */
  static final int SLICES = 6;

  /** Turns of each table before it is measured. */
  static final int WARM_UP_SLICES = 6;

  /** The shares of reads. */
  static final List<Double> READ_RATIOS = List.of(0.0, 0.1, 0.3, 0.5, 0.7, 1.0);

  /** How uneven updates are, as in YCSB. */
  static final double ZIPF_EXPONENT = 0.99;

  private static final int UPDATES_PER_KEY = 50;
  private static final int SINGLES_SHARE = 20;
  private static final int VALUES_PER_KEY = 2;

  /** How many rows the updates are of. */
  int keys() {
    return Math.max(regions, ops / UPDATES_PER_KEY);
  }

  /** Values of the indexed column are below this. */
  long values() {
    return (long) keys() * VALUES_PER_KEY;
  }

  int sliceOps() {
    return Math.max(1, ops / SLICES);
  }

  /** Single puts in each of two turns. */
  int singleOps() {
    return Math.max(1, ops / SINGLES_SHARE / 2);
  }

  /** Where the index tables' regions begin, for values below a limit. */
  long[] valueSplits(long values) {
    long[] splits = new long[regions - 1];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = values * i / regions;
    }
    return splits;
  }
}
