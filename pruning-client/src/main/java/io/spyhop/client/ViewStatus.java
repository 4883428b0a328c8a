package io.spyhop.client;

/**
 * The progress of the sorted view of one family in one region ({@link IndexAdmin#viewStatus}).
 * Immutable, thread-safe.
 *
 * @param region the region's encoded name
 * @param server its server as {@code host,port,startcode}, or {@code ?} while it has none
 * @param startRow its first row, printable; empty for the first region
 * @param family the column family
 * @param hfiles HFiles of the store
 * @param inView of these, how many the view is of; 0 without a view
 * @param cells in the view
 * @param bytes of memory that it takes
 * @param isPending whether a newer one is being made or read, or soon will be
 * @param unused how often a view was too large since the region has been open
 * @param damaged how often one was damaged, or said what is not so
 * @param problem why there is no view, or what went wrong last; empty if nothing is wrong
 * @param isPossible whether the region has answered, and can have views of the family
 */
public record ViewStatus(
    String region,
    String server,
    String startRow,
    String family,
    int hfiles,
    int inView,
    long cells,
    long bytes,
    boolean isPending,
    long unused,
    long damaged,
    String problem,
    boolean isPossible) {}
