package io.spyhop.server.query;

/** Counts of a query's work so far. Not thread-safe. */
final class QueryCounts {
  long records;
  long uncoveredCells;
  long candidates;
  long rereads;
  long rows;
  long nanos;
}
