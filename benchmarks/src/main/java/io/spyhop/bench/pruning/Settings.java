package io.spyhop.bench.pruning;

import io.spyhop.core.schema.BloomSize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The amount of what is measured.
 *
 * @param scale TPC-DS' scale factor, on which the sizes of item and store depend
 * @param sales the first so many rows of store_sales are loaded
 * @param seconds how long a turn of one side lasts
 * @param rounds turns of each side, of which the median is taken
 * @param partitionKb kilobytes of dsdgen's text in a region
 * @param bloomBits the size of a column's filter in a region
 * @param writeRate rows a second in the write load
 * @param regions regions of a table whose statistics are synchronised, 0 for none
 * @param simulated the same of a table whose regions are simulated
 * @param paper whether the paper's experiments are run
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
    int regions,
    int simulated,
    boolean paper,
    boolean full) {
  private static final Settings DEFAULT = new Settings(1, 1, 1, 3, 256, 1024, 2, 0, 0, true, true);
  private static final Settings QUICK = new Settings(1, 1, 0.4, 2, 256, 1024, 2, 0, 0, true, false);
  private static final int MAX_PARTITION_KB = 1_000_000;
  private static final int MAX_WRITE_RATE = 1_000_000;

  /** Checks everything. */
  public Settings {
    require(scale > 0, "scale " + scale + " is not positive");
    require(sales >= 1, "sales " + sales + " is less than 1");
    require(seconds > 0, "seconds " + seconds + " is not positive");
    require(rounds >= 1, "rounds " + rounds + " is less than 1");
    require(
        partitionKb >= WHOLE && partitionKb <= MAX_PARTITION_KB,
        "partition-kb " + partitionKb + " is not in " + WHOLE + ".." + MAX_PARTITION_KB);
    require(regions >= 0, "regions " + regions + " is less than 0");
    require(simulated >= 0, "simulated " + simulated + " is less than 0");
    require(
        writeRate >= 1 && writeRate <= MAX_WRITE_RATE,
        "write-rate " + writeRate + " is not in 1.." + MAX_WRITE_RATE);
    new BloomSize(bloomBits);
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * What is measured unless more is said.
   *
   * @param quick whether it has to be quick
   * @throws IllegalArgumentException if a number is out of its range
   */
  public static Settings of(
      boolean quick, double scale, int sales, int partitionKb, int bloomBits, int writeRate) {
    Settings base = quick ? QUICK : DEFAULT;
    return new Settings(
        scale,
        sales,
        base.seconds,
        base.rounds,
        partitionKb,
        bloomBits,
        writeRate,
        base.regions,
        base.simulated,
        base.paper,
        base.full);
  }

  /** The same with numbers of regions, and with or without the paper's experiments. */
  public Settings withRegions(int real, int simulatedOnes, boolean papers) {
    return new Settings(
        scale,
        sales,
        seconds,
        rounds,
        partitionKb,
        bloomBits,
        writeRate,
        real,
        simulatedOnes,
        papers,
        full);
  }

  /** The same with other lengths, where there are some; throws what {@link #of} throws. */
  public Settings with(Optional<Double> otherSeconds, Optional<Integer> otherRounds) {
    return new Settings(
        scale,
        sales,
        otherSeconds.orElse(seconds),
        otherRounds.orElse(rounds),
        partitionKb,
        bloomBits,
        writeRate,
        regions,
        simulated,
        paper,
        full);
  }

  /** Client threads, as in the acceptance figures. */
  static final int CLIENTS = 8;

  /** Regions that a table has at least, except store. */
  static final int MIN_REGIONS = 16;

  /** With how many sets of parameters each query is asked. */
  static final int INSTANCES = 16;

  /** How old statistics may be for the paper's queries that are asked BOUNDED. */
  static final Duration BOUND = Duration.ofMillis(100);

  /** Regions that are written between two queries of very many regions. */
  static final List<Integer> WRITTEN = List.of(0, 1, 100);

  private static final List<Integer> ALL_INTERVALS =
      List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 200, 500);
  private static final List<Integer> SOME_INTERVALS = List.of(1, 100, 500);
  private static final List<Integer> EIGHTHS = List.of(8, 6, 4, 3, 2);
  private static final List<Integer> SOME_EIGHTHS = List.of(8, 4);
  private static final int WHOLE = 8;

  /** Sync intervals in milliseconds: the paper's, and longer ones. */
  List<Integer> intervals() {
    return full ? ALL_INTERVALS : SOME_INTERVALS;
  }

  /** How old statistics may be, in milliseconds, beside the intervals. */
  List<Integer> bounds() {
    return full ? List.of(1, 10, 100, 500) : List.of(100, 500);
  }

  /** Rows a second that are written meanwhile, up to more than a small cluster can take. */
  List<Integer> writeRates() {
    return full
        ? List.of(0, writeRate, 4 * writeRate, 16 * writeRate, 64 * writeRate)
        : List.of(0, 4 * writeRate, 64 * writeRate);
  }

  /** Percents of the rows that are in the memstore. */
  List<Integer> memstorePercents() {
    return full ? List.of(0, 10, 30, 50) : List.of(0, 50);
  }

  /** With how many of its sets of parameters each query is asked with the table of sales. */
  int joins() {
    return full ? INSTANCES / 2 : INSTANCES / 4;
  }

  /** Partition sizes in kilobytes; the greatest is the one that is used elsewhere. */
  List<Integer> partitionSizes() {
    return (full ? EIGHTHS : SOME_EIGHTHS).stream().map(s -> partitionKb * s / WHOLE).toList();
  }
}
