package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.OptionalDouble;

/**
 * Weighs the way through a global index against the query without it. What was read of the index so
 * far says how many rows come of it; the regions say what they would do instead. Not thread-safe.
 *
 * <p>With a limit the rows of entries tell how far a scan would have to go: if the entries of the
 * index's column alone decide, the n-th row found so far is at or behind the n-th row of the
 * answer.
 */
final class Weighing {
  /** So few rows come with one call: they are read without asking what a scan would cost. */
  private static final int ONE_CALL = 32;

  /** An index is asked for its entries, and a table for the rows behind them. */
  private static final int LEAST_CALLS = 2;

  private final EntryQuery query;
  private final EntryCosts costs;
  private final PlainCost plain;

  Weighing(EntryQuery query, EntryCosts costs, PlainCost plain) {
    this.query = query;
    this.costs = costs;
    this.plain = plain;
  }

  /** Whether the range has so little in it that no index finds anything sooner. */
  boolean isTooSmall() throws IOException {
    if (!query.isFree() || !plain.isQuicklyAsked(query.rows().hull())) {
      return false;
    }
    return instead(query.rows().hull()) < LEAST_CALLS * costs.call();
  }

  /**
   * How many entries of another index may be read, those included that were, to leave out some of
   * the rows: as many as cost half of what the rows do, as it is not known how many it leaves out.
   * None if the rows cost little more than asking it.
   */
  long narrowing(NavigableMap<byte[], ?> rows) {
    double saved = rows.size() * costs.get() / 2 - costs.call();
    return saved <= costs.call() ? 0 : (long) Math.min(query.maxEntries(), saved / costs.entry());
  }

  /**
   * Whether the first rows in order are worth being read one by one: a scan finds the same up to
   * the last of them.
   */
  boolean isWorthSoFar(NavigableMap<byte[], ?> rows) throws IOException {
    return !query.isFree()
        || rows.size() <= ONE_CALL
        || rows.size() * costs.get() <= instead(upTo(rows.lastKey()));
  }

  /** Whether rows that all entries in range lead to are worth being read one by one. */
  boolean isWorth(NavigableMap<byte[], ?> rows) throws IOException {
    if (!query.isFree() || rows.size() <= ONE_CALL) {
      return true;
    }
    return Math.min(query.limit(), rows.size()) * costs.get() <= instead(upTo(rows));
  }

  /**
   * How many entries may be read, those included that were, until the query without the index is
   * cheaper.
   *
   * @param rows behind the entries that were read
   */
  long budget(NavigableMap<byte[], ?> rows) throws IOException {
    if (!query.isFree()) {
      return query.maxEntries();
    }
    double instead = instead(upTo(rows));
    double all = instead / (costs.entry() + costs.get());
    double few = (instead - query.limit() * costs.get()) / costs.entry();
    double most = isBounded(rows) ? Math.max(all, few) : all;
    return most >= query.maxEntries() ? query.maxEntries() : (long) most;
  }

  private double instead(RowRange range) throws IOException {
    OptionalDouble cells = plain.cells(range);
    return cells.isPresent() ? cells.getAsDouble() * costs.cell() : Double.POSITIVE_INFINITY;
  }

  private boolean isBounded(NavigableMap<byte[], ?> rows) {
    return query.predicate().columns().size() == 1 && query.limit() <= rows.size();
  }

  /** Where a scan finds what is asked for. */
  private RowRange upTo(NavigableMap<byte[], ?> rows) {
    if (!isBounded(rows)) {
      return query.rows().hull();
    }
    byte[] last = rows.keySet().stream().skip(query.limit() - 1).findFirst().orElseThrow();
    return upTo(last);
  }

  private RowRange upTo(byte[] row) {
    return new RowRange(query.rows().hull().start(), Arrays.copyOf(row, row.length + 1));
  }
}
