package io.spyhop.bench.mdrq;

import io.spyhop.client.JobSummary;
import java.util.List;

/**
 * What the benchmark measured.
 *
 * @param rows orders in each of the two tables
 * @param regions regions of each table
 * @param insert loading, the first time
 * @param indexedAfterS seconds from the last write to the indexed table until every HFile was
 *     indexed, its flush included; loading in turns has one such wait after each turn, which all
 *     count
 * @param bytes what is on disk after the first load
 * @param jobs the index jobs of all loads
 * @param queries one entry a query and state
 * @param states one entry a state
 * @param puts how long puts take beside queries
 */
public record BenchReport(
    long rows,
    int regions,
    Insert insert,
    double indexedAfterS,
    DiskBytes bytes,
    List<JobSummary> jobs,
    List<BenchQuery> queries,
    List<StateReport> states,
    List<PutsReport> puts) {
  /** Copies the lists. */
  public BenchReport {
    jobs = List.copyOf(jobs);
    queries = List.copyOf(queries);
    states = List.copyOf(states);
    puts = List.copyOf(puts);
  }

  /**
   * Loading both tables in turns.
   *
   * @param plainRowsPerS rows a second into the table without indexes
   * @param spyhopRowsPerS rows a second into the table with indexes
   * @param ratio spyhopRowsPerS / plainRowsPerS
   * @param plainFlushedRowsPerS the first, if the time of flushes counts
   * @param spyhopIndexedRowsPerS the second, if the time counts until all HFiles are indexed
   * @param indexedRatio spyhopIndexedRowsPerS / plainFlushedRowsPerS
   */
  public record Insert(
      double plainRowsPerS,
      double spyhopRowsPerS,
      double ratio,
      double plainFlushedRowsPerS,
      double spyhopIndexedRowsPerS,
      double indexedRatio) {}

  /**
   * Files of the indexed table.
   *
   * @param base HFiles
   * @param ifiles IFiles
   * @param sfiles SFiles
   */
  public record DiskBytes(long base, long ifiles, long sfiles) {}
}
