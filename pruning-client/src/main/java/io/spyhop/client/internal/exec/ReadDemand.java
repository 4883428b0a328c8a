package io.spyhop.client.internal.exec;

/**
 * The needs of a reader of ranges.
 *
 * @param rows how many the reader will take at most; {@link #ALL} and more are all
 * @param caching how many rows a scan fetches at a time, and a range may be ahead of a reader who
 *     has not read more than that; at least 1
 * @param first how many ranges are read at once to begin with, if not all rows are wanted
 */
public record ReadDemand(long rows, int caching, int first) {
  /** As many as there are. */
  public static final long ALL = Integer.MAX_VALUE;

  /** One range may have the rows, if few are wanted. */
  public ReadDemand(long rows, int caching) {
    this(rows, caching, 1);
  }

  /** The same of more ranges, as those before did not have enough. */
  public ReadDemand from(int width) {
    return new ReadDemand(rows, caching, width);
  }

  /** Whether less than all rows may do. */
  public boolean isLimited() {
    return rows < ALL;
  }

  /** What a range may be ahead. */
  int ahead() {
    return (int) Math.min(rows, caching);
  }

  /** How many ranges are read at once to begin with, of that many at most. */
  int firstWidth(int most) {
    return isLimited() ? Math.min(first, most) : most;
  }

  /** Whether so many rows are not enough. */
  boolean exceeds(long found) {
    return rows >= ALL || found < rows;
  }
}
