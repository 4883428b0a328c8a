package io.spyhop.core.schema;

/** The kinds of indexes, by the place of their entries. */
public enum IndexKind {
  /** Index files beside each region's HFiles, on the region server (LCIndex). */
  LOCAL(false),
  /** A table of its own whose rows are value and row key (DELI). */
  GLOBAL(true),
  /** Statistics of a column alone, by which queries leave out regions; no index at all. */
  STATS(false);

  private final boolean table;

  IndexKind(boolean table) {
    this.table = table;
  }

  /**
   * Whether such an index is a table of its own: the master makes it, it can be split, its entries
   * can be repaired, and regions of the indexed table do not read it.
   */
  public boolean hasTable() {
    return table;
  }
}
