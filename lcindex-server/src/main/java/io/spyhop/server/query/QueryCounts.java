package io.spyhop.server.query;

/** What a query did so far. Not thread-safe. */
final class QueryCounts {
  long records;
  long uncoveredCells;
  long candidates;
  long rereads;
  long rows;
  long nanos;
}
