package io.spyhop.bench.mdrq;

import io.spyhop.client.JobSummary;
import java.util.List;

/**
 * What the benchmark measured.
 *
 * @param rows orders in each of the two tables
 * @param regions regions of each table
 * @param insert loading
 * @param indexedAfterS seconds from the last write to the indexed table until every HFile was
 *     indexed, its flush included; loading in turns has one such wait after each turn, which all
 *     count
 * @param bytes what is on disk
 * @param jobs the index jobs of the load
 * @param queries one entry a query and state
 */
public record BenchReport(
    long rows,
    int regions,
    Insert insert,
    double indexedAfterS,
    DiskBytes bytes,
    List<JobSummary> jobs,
    List<BenchQuery> queries) {
  /** Copies the lists. */
  public BenchReport {
    jobs = List.copyOf(jobs);
    queries = List.copyOf(queries);
  }

  /**
   * Loading both tables in turns.
   *
   * @param plainRowsPerS rows a second into the table without indexes
   * @param spyhopRowsPerS rows a second into the table with indexes
   * @param ratio spyhopRowsPerS / plainRowsPerS
   */
  public record Insert(double plainRowsPerS, double spyhopRowsPerS, double ratio) {}

  /**
   * Files of the indexed table.
   *
   * @param base HFiles
   * @param ifiles IFiles
   * @param sfiles SFiles
   */
  public record DiskBytes(long base, long ifiles, long sfiles) {}
}
