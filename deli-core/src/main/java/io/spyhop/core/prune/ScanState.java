package io.spyhop.core.prune;

/** What a query reads of a region (paper, definition 2). */
public enum ScanState {
  /** Nothing: no row can match. */
  NR,
  /** The HFiles alone: the memstore is empty. */
  RS,
  /** HFiles and memstore. */
  RSM
}
