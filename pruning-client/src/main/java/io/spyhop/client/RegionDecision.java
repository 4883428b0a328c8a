package io.spyhop.client;

import io.spyhop.core.prune.ScanState;

/**
 * A query's decision about a region, or the part of one that it asks for, with its reason.
 * Immutable if nobody writes to the keys, thread-safe.
 *
 * @param region the region's encoded name as it answered; empty if nothing is known
 * @param startKey the part's first row
 * @param endKey the row after its last; empty for the table's end
 * @param state nothing is read of it, its HFiles alone, or HFiles and memstore
 * @param reason why
 * @param statistics the statistics of the predicate's columns that made the decision; or empty
 */
public record RegionDecision(
    String region,
    byte[] startKey,
    byte[] endKey,
    ScanState state,
    String reason,
    String statistics) {
  /** Whether the region is not asked. */
  public boolean isPruned() {
    return state == ScanState.NR;
  }
}
