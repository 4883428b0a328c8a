package io.spyhop.core.schema;

/** Where an index lives. */
public enum IndexKind {
  /** Index files beside each region's HFiles, on the region server (LCIndex). */
  LOCAL,
  /** A table of its own whose rows are value and row key (DELI). */
  GLOBAL,
  /** Statistics of a column alone, by which queries leave out regions; no index at all. */
  STATS
}
