package io.spyhop.bench.mdrq;

/**
 * One query of the benchmark in one state of the data; times are medians in milliseconds.
 *
 * @param name as in the paper
 * @param state see {@link State}
 * @param rows how many rows it found
 * @param plainMs the faster one of the two plain filtered scans
 * @param spyhopMs through Spyhop
 * @param floorMs a key-range scan that returns as many rows, by one scanner
 * @param ratio plainMs / spyhopMs
 * @param driving the index that gave the candidates, or {@code scan}
 * @param recordsRead index records read
 * @param equal whether all three answers are the same to the last cell
 * @param plainFilter which plain scan was faster: {@code predicate} or {@code scvf}
 * @param plainPredicateMs the plain scan with a PredicateFilter
 * @param plainScvfMs the plain scan with a list of SingleColumnValueFilters
 * @param rereads rows that were read again from the table to be judged
 * @param floorRegionsMs a scan of the first rows of each region, as many of each as the query finds
 *     in it, with one scanner a region side by side
 * @param plain more of the faster plain scan
 * @param spyhop more of the query through Spyhop
 */
public record BenchQuery(
    String name,
    String state,
    int rows,
    double plainMs,
    double spyhopMs,
    double floorMs,
    double ratio,
    String driving,
    long recordsRead,
    boolean equal,
    String plainFilter,
    double plainPredicateMs,
    double plainScvfMs,
    long rereads,
    double floorRegionsMs,
    Effort plain,
    Effort spyhop) {
  /**
   * What one side does for the query.
   *
   * @param mbRead megabytes that are read from files if nothing is in the block cache
   * @param cpuMs processor time of the servers' and the client's threads, the mean
   * @param qps queries a second
   * @param p99Ms 99th percentile of the time; of less than a hundred times the longest
   */
  public record Effort(double mbRead, double cpuMs, double qps, double p99Ms) {}
}
