package io.spyhop.core.stats;

/** The use that queries make of a column's statistics, from the least. */
public enum ColumnUse {
  /** No query has a condition on it. */
  NONE,
  /** Queries ask for ranges of values, for which bounds are enough. */
  RANGES,
  /** Queries ask for single values, which filters tell of. */
  POINTS
}
