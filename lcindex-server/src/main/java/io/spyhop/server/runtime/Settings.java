package io.spyhop.server.runtime;

import org.apache.hadoop.conf.Configuration;

/**
 * The server's settings, {@code spyhop.*} in hbase-site.xml; docs/operations.md explains them.
 *
 * @param jobThreads threads that build index files
 * @param jobQueue jobs that may wait
 * @param buildMemory bytes that one job may hold while sorting
 * @param maxPackedRow rows that pack to more bytes are not kept in IFiles
 * @param reconcileMillis how often coverage is compared with the HFiles
 * @param refreshMillis how often definitions are read again without being told
 * @param sweepMillis how often directories of regions that are elsewhere are looked at
 * @param absentMillis how long a region must be elsewhere before its files are deleted
 * @param goneMillis how long a region must be away and gone before its files are deleted
 * @param queryMemory bytes that all queries of the server may hold together
 * @param sortBudget bytes that one query may hold in one region
 * @param memstoreIndex bytes that logs of writes may take together
 * @param pairs bytes that the rows which HFiles have in common may take together
 * @param fetchChunk bytes of an index file that are asked of another server at once
 * @param fetchWaitMillis how long to wait for a server that is still building what is looked for
 * @param slowQueryMillis queries that take as long in one region are logged; 0 is off
 * @param slowQueryValues whether the log shows the values that were asked for
 */
public record Settings(
    int jobThreads,
    int jobQueue,
    long buildMemory,
    int maxPackedRow,
    long reconcileMillis,
    long refreshMillis,
    long sweepMillis,
    long absentMillis,
    long goneMillis,
    long queryMemory,
    long sortBudget,
    long memstoreIndex,
    long pairs,
    int fetchChunk,
    long fetchWaitMillis,
    long slowQueryMillis,
    boolean slowQueryValues) {

  /** A row lies in one stretch of memory while it is sorted. */
  private static final int MAX_PACKED_ROW = 512 << 10;

  /** Reads the settings; absent ones have defaults that depend on the heap. */
  public static Settings of(Configuration conf) {
    long heap = Runtime.getRuntime().maxMemory();
    return new Settings(
        conf.getInt("spyhop.job.threads", 1),
        conf.getInt("spyhop.job.queue", 256),
        conf.getLong("spyhop.build.memory", Math.min(256L << 20, heap / 16)),
        Math.min(MAX_PACKED_ROW, conf.getInt("spyhop.build.row.max", 64 << 10)),
        conf.getLong("spyhop.reconcile.ms", 500),
        conf.getLong("spyhop.refresh.ms", 300_000),
        conf.getLong("spyhop.sweep.ms", 120_000),
        conf.getLong("spyhop.sweep.absent.ms", 86_400_000),
        conf.getLong("spyhop.sweep.gone.ms", 120_000),
        conf.getLong("spyhop.query.memory", heap / 10),
        conf.getLong("spyhop.query.sort.budget", heap / 20),
        conf.getLong("spyhop.memstore.index.bytes", Math.min(64L << 20, heap / 16)),
        conf.getLong("spyhop.pairs.bytes", Math.min(128L << 20, heap / 16)),
        conf.getInt("spyhop.fetch.chunk", 1 << 20),
        conf.getLong("spyhop.fetch.wait.ms", 60_000),
        conf.getLong("spyhop.slow.query.ms", 10_000),
        conf.getBoolean("spyhop.slow.query.values", true));
  }
}
