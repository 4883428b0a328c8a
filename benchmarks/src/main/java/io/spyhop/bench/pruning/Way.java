package io.spyhop.bench.pruning;

/** How a query is asked. */
enum Way {
  /** The paper's original partition scan: all regions are scanned. */
  OPS,
  /** Regions are left out; statistics are synchronised for the query. */
  STRICT,
  /** Regions are left out; statistics are synchronised at intervals. */
  BATCHED
}
