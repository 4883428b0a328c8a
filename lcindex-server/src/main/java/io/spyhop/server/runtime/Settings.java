package io.spyhop.server.runtime;

import io.spyhop.core.conf.CheckedSettings;
import org.apache.hadoop.conf.Configuration;

/**
 * The server's settings, {@code spyhop.*} in hbase-site.xml; docs/operations.md explains them.
 *
 * @param jobThreads threads that build index files
 * @param jobQueue jobs that may wait
 * @param buildMemory bytes that one job may hold while sorting
 * @param streams bytes that index files may hold which are built while HFiles are written
 * @param maxPackedRow rows that pack to more bytes are not kept in IFiles
 * @param reconcileMillis how often coverage is compared with the HFiles
 * @param refreshMillis how often definitions are read again without being told
 * @param sweepMillis how often directories of regions that are elsewhere are looked at
 * @param absentMillis how long a region must be elsewhere before its files are deleted
 * @param goneMillis how long a region must be away and gone before its files are deleted
 * @param queryMemory bytes that all queries of the server may hold together
 * @param sortBudget bytes that one query may hold in one region
 * @param memstoreIndex bytes that logs of writes may take together
 * @param statisticsMemory bytes that statistics of regions and their logs may take together
 * @param pairs bytes that the rows which HFiles have in common may take together
 * @param matches bytes that the rows which conditions found may take together
 * @param fetchChunk bytes of an index file that are asked of another server at once
 * @param fetchWaitMillis how long to wait for a server that is still building what is looked for
 * @param viewMemory bytes that all sorted views may take
 * @param viewInterval keys of a view's segment
 * @param slowQueryMillis queries that take as long in one region are logged; 0 is off
 * @param slowQueryValues whether the log shows the values that were asked for
 */
public record Settings(
    int jobThreads,
    int jobQueue,
    long buildMemory,
    long streams,
    int maxPackedRow,
    long reconcileMillis,
    long refreshMillis,
    long sweepMillis,
    long absentMillis,
    long goneMillis,
    long queryMemory,
    long sortBudget,
    long memstoreIndex,
    long statisticsMemory,
    long pairs,
    long matches,
    int fetchChunk,
    long fetchWaitMillis,
    long viewMemory,
    int viewInterval,
    long slowQueryMillis,
    boolean slowQueryValues) {

  /** The setting of {@link #viewMemory}. */
  public static final String VIEW_MEMORY = "spyhop.view.memory";

  private static final int MOST_THREADS = 1_000;
  private static final int MOST_JOBS = 1_000_000;

  /** A row lies in one stretch of memory while it is sorted. */
  private static final int MAX_PACKED_ROW = 512 << 10;

  /** A server sends no more at once. */
  private static final int MAX_CHUNK = 4 << 20;

  private static final int MAX_INTERVAL = 1 << 12;

  /** Reads the settings; absent and wrong ones have defaults that depend on the heap. */
  public static Settings of(Configuration conf) {
    CheckedSettings set = new CheckedSettings(conf);
    long heap = Runtime.getRuntime().maxMemory();
    return new Settings(
        set.integer("spyhop.job.threads", 1, 1, MOST_THREADS),
        set.integer("spyhop.job.queue", 256, 0, MOST_JOBS),
        set.memory("spyhop.build.memory", Math.min(256L << 20, heap / 16), 1),
        set.memory("spyhop.build.stream.bytes", Math.min(64L << 20, heap / 32), 0),
        set.integer("spyhop.build.row.max", 64 << 10, 1, MAX_PACKED_ROW),
        set.millis("spyhop.reconcile.ms", 500, 1),
        set.millis("spyhop.refresh.ms", 3_600_000, 1),
        set.millis("spyhop.sweep.ms", 120_000, 1),
        set.millis("spyhop.sweep.absent.ms", 86_400_000, 0),
        set.millis("spyhop.sweep.gone.ms", 120_000, 0),
        set.memory("spyhop.query.memory", heap / 10, 0),
        set.memory("spyhop.query.sort.budget", heap / 20, 0),
        set.memory("spyhop.memstore.index.bytes", Math.min(64L << 20, heap / 16), 0),
        set.memory("spyhop.statistics.bytes", Math.min(256L << 20, heap / 16), 0),
        set.memory("spyhop.pairs.bytes", Math.min(128L << 20, heap / 16), 0),
        set.memory("spyhop.matches.bytes", Math.min(64L << 20, heap / 32), 0),
        set.integer("spyhop.fetch.chunk", 1 << 20, 1, MAX_CHUNK),
        set.millis("spyhop.fetch.wait.ms", 60_000, 0),
        set.memory(VIEW_MEMORY, heap / 20, 0),
        set.integer("spyhop.view.interval", 32, 1, MAX_INTERVAL),
        set.millis("spyhop.slow.query.ms", 10_000, 0),
        set.flag("spyhop.slow.query.values", true));
  }
}
