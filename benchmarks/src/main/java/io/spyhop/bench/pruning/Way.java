package io.spyhop.bench.pruning;

/** A way to ask a query. */
enum Way {
  /**
   * The paper's original partition scan: all regions are scanned by HBase's own scanners with the
   * query's filter, and neither the client nor a region leaves anything out.
   */
  OPS,
  /** No region is left out, but an index may answer. */
  INDEX,
  /** Regions are left out; statistics are synchronised for the query. */
  STRICT,
  /** Regions are left out; statistics are synchronised at intervals. */
  BATCHED,
  /** Regions are left out by statistics that may be so old as {@link Settings#BOUND} says. */
  BOUNDED
}
