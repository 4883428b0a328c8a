package io.spyhop.server.index.global.repair;

import io.spyhop.core.conf.CheckedSettings;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the repair, {@code spyhop.global.*} in hbase-site.xml; docs/operations.md explains
 * them.
 *
 * @param graceMillis how long after it was found obsolete an entry stays at least
 * @param buffer entries that one flush or compaction holds in memory
 * @param rows base rows that are locked at once
 * @param queue lists that may wait; batches half as many
 * @param memory entries of batches that may wait in memory
 * @param memoryBytes how much memory those may take
 * @param threads items that are worked on at once
 */
public record RepairSettings(
    long graceMillis, int buffer, int rows, int queue, int memory, long memoryBytes, int threads) {
  private static final long MOST_MEMORY = 64 << 20;
  private static final int MOST_ENTRIES = 10_000_000;
  private static final int MOST_ROWS = 10_000;
  private static final int MOST_LISTS = 1_000_000;
  private static final int MOST_THREADS = 1_000;

  /** Reads the settings; absent and wrong ones have their defaults. */
  public static RepairSettings of(Configuration conf) {
    CheckedSettings set = new CheckedSettings(conf);
    return new RepairSettings(
        set.millis("spyhop.global.grace.ms", 30_000, 0),
        set.integer("spyhop.global.repair.buffer", 10_000, 1, MOST_ENTRIES),
        set.integer("spyhop.global.repair.rows", 200, 1, MOST_ROWS),
        set.integer("spyhop.global.repair.queue", 10_000, 1, MOST_LISTS),
        set.integer("spyhop.global.repair.memory", 100_000, 1, MOST_ENTRIES),
        set.memory("spyhop.global.repair.memory.bytes", ofHeap(), 1),
        set.integer("spyhop.global.repair.threads", 2, 1, MOST_THREADS));
  }

  private static long ofHeap() {
    return Math.min(MOST_MEMORY, Runtime.getRuntime().maxMemory() / 100);
  }
}
