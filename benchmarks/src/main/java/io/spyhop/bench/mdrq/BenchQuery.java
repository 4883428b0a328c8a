package io.spyhop.bench.mdrq;

/**
 * One query of the benchmark in one state of the data; times are medians in milliseconds.
 *
 * @param name as in the paper
 * @param state {@code flushed}: all data in HFiles, all HFiles indexed
 * @param rows how many rows it found
 * @param plainMs the faster one of the two plain filtered scans
 * @param spyhopMs through Spyhop
 * @param floorMs a key-range scan that returns as many rows
 * @param ratio plainMs / spyhopMs
 * @param driving the index that gave the candidates, or {@code scan}
 * @param recordsRead index records read
 * @param equal whether all three answers are the same to the last cell
 * @param plainFilter which plain scan was faster: {@code predicate} or {@code scvf}
 * @param plainPredicateMs the plain scan with a PredicateFilter
 * @param plainScvfMs the plain scan with a list of SingleColumnValueFilters
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
    double plainScvfMs) {}
