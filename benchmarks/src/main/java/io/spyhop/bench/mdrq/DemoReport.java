package io.spyhop.bench.mdrq;

import java.util.List;

/**
 * What the demonstration found.
 *
 * @param rows orders loaded
 * @param queries the queries on loaded and flushed data
 * @param afterUpdates the same queries after updates and deletes, partly unflushed
 * @param afterCompaction the same queries when all of that is flushed, compacted and indexed
 */
public record DemoReport(
    long rows,
    List<QueryReport> queries,
    List<QueryReport> afterUpdates,
    List<QueryReport> afterCompaction) {
  /** Copies the lists. */
  public DemoReport {
    queries = List.copyOf(queries);
    afterUpdates = List.copyOf(afterUpdates);
    afterCompaction = List.copyOf(afterCompaction);
  }
}
