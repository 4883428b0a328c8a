package io.spyhop.bench.pruning;

import java.util.List;

/**
 * How much is measured.
 *
 * @param scale TPC-DS' scale factor, on which the sizes of item and store depend
 * @param sales the first so many rows of store_sales are loaded
 * @param seconds how long a turn of one side lasts
 * @param rounds turns of each side, of which the median is taken
 * @param partitionKb kilobytes of dsdgen's text in a region
 * @param bloomBits the size of a column's filter in a region
 * @param writeRate rows a second in the write load
 * @param full whether all of the paper's series are measured with all their points
 */
public record Settings(
    double scale,
    int sales,
    double seconds,
    int rounds,
    int partitionKb,
    int bloomBits,
    int writeRate,
    boolean full) {
  /** Client threads, as in the acceptance figures. */
  static final int CLIENTS = 8;

  /** Regions that a table has at least, except store. */
  static final int MIN_REGIONS = 16;

  /** With how many sets of parameters each query is asked. */
  static final int INSTANCES = 16;

  /** Percents of the rows that are in the memstore. */
  static final List<Integer> MEMSTORE_PERCENTS = List.of(0, 10, 30, 50);

  private static final List<Integer> ALL_INTERVALS = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  private static final List<Integer> SOME_INTERVALS = List.of(1, 6, 10);
  private static final List<Integer> EIGHTHS = List.of(8, 6, 4, 3, 2);
  private static final int WHOLE = 8;

  /** Sync intervals in milliseconds. */
  List<Integer> intervals() {
    return full ? ALL_INTERVALS : SOME_INTERVALS;
  }

  /** Rows a second that are written meanwhile. */
  List<Integer> writeRates() {
    return full
        ? List.of(0, writeRate / 2, writeRate, 2 * writeRate, 4 * writeRate)
        : List.of(0, writeRate);
  }

  /** Five partition sizes in kilobytes; the greatest is the one that is used elsewhere. */
  List<Integer> partitionSizes() {
    return EIGHTHS.stream().map(s -> partitionKb * s / WHOLE).toList();
  }
}
