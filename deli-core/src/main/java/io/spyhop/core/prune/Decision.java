package io.spyhop.core.prune;

/**
 * What a query does with a region, and why. Immutable, thread-safe.
 *
 * @param state what it reads
 * @param reason a sentence for people
 */
public record Decision(ScanState state, String reason) {
  /** Whether the region need not be asked. */
  public boolean isPruned() {
    return state == ScanState.NR;
  }
}
