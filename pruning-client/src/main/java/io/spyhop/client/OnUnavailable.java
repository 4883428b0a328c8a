package io.spyhop.client;

/**
 * The way out where a global index that can answer a query is unavailable: it does not answer in
 * time, or does not know all of the query's rows, as regions are being built or were open on a
 * server without Spyhop.
 */
public enum OnUnavailable {
  /**
   * Rows that the index does not know are scanned. The client's setting {@code
   * spyhop.client.unavailable.regions} says in how many regions at most; beyond that the query
   * fails as with {@link #FAIL}.
   */
  SCAN,

  /** The query fails with an {@link IndexUnavailableException}. */
  FAIL
}
