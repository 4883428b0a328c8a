package io.spyhop.core.schema;

/**
 * The ways in which flushes and compactions repair a {@link IndexKind#GLOBAL} index (DELI, section
 * V.B).
 */
public enum Repair {
  /** Obsolete versions are found while the data streams by. */
  STREAMING,
  /** The inputs of a compaction are read once more after it. */
  STAGED,
  /** Not at all: reads and the verifier repair what they meet. */
  OFF
}
