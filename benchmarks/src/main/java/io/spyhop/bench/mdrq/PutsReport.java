package io.spyhop.bench.mdrq;

/**
 * How long puts take, one after the other, while somebody asks the same query again and again; in
 * milliseconds.
 *
 * @param name of the query
 * @param state see {@link State}
 * @param plain a table without indexes, which a plain scan reads
 * @param spyhop the indexed table, which is asked through Spyhop
 * @param equal whether both answers are the same to the last cell
 */
public record PutsReport(String name, String state, Puts plain, Puts spyhop, boolean equal) {
  /**
   * Puts into one table.
   *
   * @param aloneLongestMs the longest, while nobody reads
   * @param aloneP99Ms the 99th percentile
   * @param besideLongestMs the longest, while somebody reads
   * @param besideP99Ms the 99th percentile
   * @param queries how many queries were answered meanwhile
   */
  public record Puts(
      double aloneLongestMs,
      double aloneP99Ms,
      double besideLongestMs,
      double besideP99Ms,
      long queries) {}
}
