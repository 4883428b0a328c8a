package io.spyhop.bench.order;

/**
 * The figures of the first rows in the order of an index.
 *
 * @param rows of the table
 * @param regions of the table
 * @param top10 the ten orders of the highest price
 */
public record OrderReport(long rows, int regions, Top top10) {
  /** How many times faster than the plain way the first rows are to be. */
  public static final int ASKED_FOR = 50;

  /**
   * The first rows in the order of a column.
   *
   * @param plainMs median milliseconds of the faster of both plain ways
   * @param spyhopMs median milliseconds through Spyhop
   * @param ratio plainMs / spyhopMs
   * @param blocks data blocks of HFiles, index files among them, that all regions read for one
   *     query through Spyhop
   * @param equal whether all answers are the same to the last cell
   * @param plainScanMs one HBase scan of the table, of which the client keeps the first ten
   * @param plainRegionsMs scans of all regions side by side, of which the client keeps them
   */
  public record Top(
      double plainMs,
      double spyhopMs,
      double ratio,
      double blocks,
      boolean equal,
      double plainScanMs,
      double plainRegionsMs) {}
}
