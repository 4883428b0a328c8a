package io.spyhop.server.query.report;

/** Counts of a query's work so far. Not thread-safe. */
public final class QueryCounts {
  public long records;
  public long uncoveredCells;
  public long candidates;
  public long rereads;
  public long rows;
  public long nanos;
}
