package io.spyhop.bench.costs;

/**
 * What reading costs in nanoseconds, as the planner's settings {@code spyhop.cost.*} have it.
 *
 * @param rows of each table
 * @param cell a cell that a plain scan reads and filters
 * @param record an index record that is read and judged
 * @param probe one bloom filter asked about one row
 * @param reread a row that is read again from the region, all its families
 * @param setup beginning to read an index
 */
public record CostsReport(
    long rows, double cell, double record, double probe, double reread, double setup) {}
