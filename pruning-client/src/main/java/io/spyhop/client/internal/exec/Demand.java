package io.spyhop.client.internal.exec;

/**
 * What a reader of ranges wants.
 *
 * @param rows how many he will take at most; {@link #ALL} and more are all
 * @param caching how many rows a scan fetches at a time, and a range may be ahead of a reader who
 *     has not read more than that; at least 1
 */
public record Demand(long rows, int caching) {
  /** As many as there are. */
  public static final long ALL = Integer.MAX_VALUE;

  /** What a range may be ahead. */
  int ahead() {
    return (int) Math.min(rows, caching);
  }

  /** How many ranges are read at once to begin with, of that many at most: one may do. */
  int firstWidth(int most) {
    return rows < ALL ? 1 : most;
  }

  /** Whether so many rows are not enough. */
  boolean exceeds(long found) {
    return rows >= ALL || found < rows;
  }
}
