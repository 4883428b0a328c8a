package io.spyhop.core.schema;

/**
 * The rule for region boundaries of a {@link IndexKind#GLOBAL} index's table. Boundaries of regions
 * can be read by everybody who uses the cluster.
 */
public enum Boundaries {
  /** At entries, which are values and row keys: the table is split like others. */
  VALUES,
  /** Nowhere: the table is one region, and its boundaries tell nothing. */
  NONE
}
