package io.spyhop.core.prune;

/**
 * A decision to read or leave out a region, with its reason. Immutable, thread-safe.
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
