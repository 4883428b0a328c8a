package io.spyhop.core.prune;

/** The part of a region that a query reads (paper, definition 2). */
public enum ScanState {
  /** Nothing: no row can match. */
  NR,
  /** The HFiles alone: the memstore is empty. */
  RS,
  /** HFiles and memstore. */
  RSM
}
