package io.spyhop.server.query.plan;

import io.spyhop.core.conf.CheckedSettings;
import org.apache.hadoop.conf.Configuration;

/**
 * The costs of reading, in nanoseconds of one core; only the ratios matter (docs/decisions/0009).
 *
 * @param scannedCell a cell that a plain scan reads and filters
 * @param record an index record that is read and judged
 * @param probe one bloom filter asked about one row
 * @param reread a row that is read again from the region
 * @param fetch a row that is read by position and judged
 * @param setUp beginning to read an index
 */
public record CostModel(
    double scannedCell, double record, double probe, double reread, double fetch, double setUp) {
  /** A row's code in a columnar file, which is compared with others at once. */
  private static final double CODE = 2;

  /** What the settings begin with. */
  public static final String PREFIX = "spyhop.cost.";

  /** A row of which columns tell all that is asked. */
  private static final double COUNTED = 50;

  private static final double LEAST_NANOS = 0.001;
  private static final double MOST_NANOS = 1e9;

  /** As {@code ./spyhop bench costs} measures them, all blocks in the cache. */
  public static final CostModel DEFAULT = new CostModel(100, 120, 500, 25_000, 1_500, 200_000);

  /**
   * As the settings {@code spyhop.cost.cell}, {@code .record}, {@code .probe}, {@code .reread},
   * {@code .fetch} and {@code .setup} say, in nanoseconds; {@code ./spyhop bench costs} measures
   * them. A wrong one is the default.
   */
  public static CostModel of(Configuration conf) {
    CheckedSettings set = new CheckedSettings(conf);
    return new CostModel(
        nanos(set, "cell", DEFAULT.scannedCell),
        nanos(set, "record", DEFAULT.record),
        nanos(set, "probe", DEFAULT.probe),
        nanos(set, "reread", DEFAULT.reread),
        nanos(set, "fetch", DEFAULT.fetch),
        nanos(set, "setup", DEFAULT.setUp));
  }

  private static double nanos(CheckedSettings set, String name, double otherwise) {
    return set.decimal(PREFIX + name, otherwise, LEAST_NANOS, MOST_NANOS);
  }

  /** The same where rows are counted by columns, and not fetched. */
  CostModel counting() {
    return new CostModel(scannedCell, record, probe, reread, COUNTED, setUp);
  }

  /** A plain scan. */
  public double scan(long cells) {
    return cells * scannedCell;
  }

  /** Comparing the codes of rows, fetching some of them, and the rest as of {@link #index}. */
  public double columns(long rows, long fetched, long rereads, long uncoveredCells) {
    return setUp + rows * CODE + fetched * fetch + rereads * reread + uncoveredCells * scannedCell;
  }

  /** Reading records of several files, of which some must be read again, and uncovered cells. */
  public double index(long records, long rereads, int files, long uncoveredCells) {
    double perRecord = record + probe * Math.max(0, files - 1);
    return setUp + records * perRecord + rereads * reread + uncoveredCells * scannedCell;
  }
}
