package io.spyhop.server.job;

import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Whether coprocessors that are neither HBase's nor Spyhop's watch a region. They may change cells
 * in a compaction, or what a scan sees; then index files are never merged, and no index record
 * stands for a row. Stateless.
 */
public final class ForeignObservers {
  private ForeignObservers() {}

  /** Whether there is any. */
  public static boolean watch(HRegion region) {
    return region.getCoprocessorHost() != null
        && region.getCoprocessorHost().findCoprocessors(RegionCoprocessor.class).stream()
            .filter(c -> c.getRegionObserver().isPresent())
            .map(c -> c.getClass().getName())
            .anyMatch(
                n -> !n.startsWith("org.apache.hadoop.hbase.") && !n.startsWith("io.spyhop."));
  }
}
