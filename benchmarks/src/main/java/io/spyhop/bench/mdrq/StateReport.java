package io.spyhop.bench.mdrq;

/**
 * A state of the data, as it was when queries were asked.
 *
 * @param state its name
 * @param regions of each table
 * @param hfiles of the indexed table's region that has most of them
 * @param memstoreMb megabytes of cells in the indexed table's memstores
 * @param insert how it was loaded
 * @param indexedAfterS see {@link BenchReport#indexedAfterS}
 */
public record StateReport(
    String state,
    int regions,
    int hfiles,
    double memstoreMb,
    BenchReport.Insert insert,
    double indexedAfterS) {}
