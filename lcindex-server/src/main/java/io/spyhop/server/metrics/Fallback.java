package io.spyhop.server.metrics;

/** The reason why a scan that asks for values was a plain scan in a region after all. */
public enum Fallback {
  /** A setting of the scan, or another coprocessor, that indexes do not serve. */
  UNSUPPORTED_SCAN,
  /** No index can drive the query. */
  NO_INDEX,
  /** The planner expects the scan to cost less. */
  SCAN_CHEAPER,
  /** The scan asks to be one. */
  ASKED_FOR,
  /** The user may not see every cell of the predicate's columns. */
  HIDDEN_CELLS,
  /** The candidates do not fit into the memory of the query or of the server. */
  MEMORY,
  /** Too many candidates would have to be read again. */
  REREADS,
  /** An index file is damaged; it is built again. */
  DAMAGED,
  /**
   * An index file has gone, as those of a region that was split or merged do; it is built again.
   */
  GONE,
  /** An index file cannot be read for now, as there are too many open files, say; it stays. */
  UNREADABLE,
  /** An unexpected exception; see the log. */
  DEFECT
}
