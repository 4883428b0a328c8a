package io.spyhop.bench;

/**
 * Resources that the region servers of a cluster have used since they started, and hold now.
 *
 * @param cpuBefore processor time in nanoseconds, before all else was asked
 * @param cpuAfter the same after that
 * @param heapBytes objects in use, after a collection
 * @param descriptors open files and sockets
 * @param nameNodeOps what all programs have asked of the NameNode
 * @param metaReads what all programs have asked of hbase:meta
 * @param logLines lines in the logs of the region servers
 * @param regionScans scans of a region with a condition, whatever answered them
 * @param sentBytes of all their answers
 */
public record ServerUse(
    long cpuBefore,
    long cpuAfter,
    long heapBytes,
    long threads,
    long descriptors,
    long nameNodeOps,
    long metaReads,
    long logLines,
    long regionScans,
    long sentBytes) {}
