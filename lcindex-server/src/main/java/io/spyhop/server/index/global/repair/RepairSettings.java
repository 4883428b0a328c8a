package io.spyhop.server.index.global.repair;

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

  /** Reads the settings. */
  public static RepairSettings of(Configuration conf) {
    return new RepairSettings(
        conf.getLong("spyhop.global.grace.ms", 30_000),
        Math.max(1, conf.getInt("spyhop.global.repair.buffer", 10_000)),
        Math.max(1, conf.getInt("spyhop.global.repair.rows", 200)),
        Math.max(1, conf.getInt("spyhop.global.repair.queue", 10_000)),
        Math.max(1, conf.getInt("spyhop.global.repair.memory", 100_000)),
        Math.max(1, conf.getLong("spyhop.global.repair.memory.bytes", ofHeap())),
        Math.max(1, conf.getInt("spyhop.global.repair.threads", 2)));
  }

  private static long ofHeap() {
    return Math.min(MOST_MEMORY, Runtime.getRuntime().maxMemory() / 100);
  }
}
