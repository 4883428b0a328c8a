package io.spyhop.server.query;

/**
 * What reading costs, in nanoseconds of one core; only the ratios matter (docs/decisions/0009).
 *
 * @param scannedCell a cell that a plain scan reads and filters
 * @param record an index record that is read and judged
 * @param probe one bloom filter asked about one row
 * @param reread a row that is read again from the region
 * @param setUp beginning to read an index
 */
public record CostModel(
    double scannedCell, double record, double probe, double reread, double setUp) {
  /** Of the size that the benchmark on TPC-H ORDERS shows. */
  public static final CostModel DEFAULT = new CostModel(100, 120, 220, 8_000, 50_000);

  /** A plain scan. */
  public double scan(long cells) {
    return cells * scannedCell;
  }

  /** Reading records of several files, of which some must be read again, and uncovered cells. */
  public double index(long records, long rereads, int files, long uncoveredCells) {
    double perRecord = record + probe * Math.max(0, files - 1);
    return setUp + records * perRecord + rereads * reread + uncoveredCells * scannedCell;
  }
}
