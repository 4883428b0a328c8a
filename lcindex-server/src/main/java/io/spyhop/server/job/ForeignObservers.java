package io.spyhop.server.job;

import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Whether coprocessors watch a region that are not known to leave cells alone. They may change them
 * in a compaction, or what a scan sees; then index files are never merged, and no index record
 * stands for a row. Those that are known are named one by one: HBase's examples, in HBase's
 * packages, rewrite values (correctness rule 32). Stateless.
 */
public final class ForeignObservers {
  private static final Set<String> HARMLESS =
      Set.of(
          "io.spyhop.server.hook.SpyhopRegion",
          "org.apache.hadoop.hbase.backup.BackupObserver",
          "org.apache.hadoop.hbase.constraint.ConstraintProcessor",
          "org.apache.hadoop.hbase.coprocessor.MetaTableMetrics",
          "org.apache.hadoop.hbase.replication.regionserver.ReplicationObserver",
          "org.apache.hadoop.hbase.security.access.AccessController",
          "org.apache.hadoop.hbase.security.visibility.VisibilityController");

  private ForeignObservers() {}

  /** Whether there is any. */
  public static boolean watch(HRegion region) {
    return region.getCoprocessorHost() != null
        && region.getCoprocessorHost().findCoprocessors(RegionCoprocessor.class).stream()
            .filter(c -> c.getRegionObserver().isPresent())
            .map(c -> c.getClass().getName())
            .anyMatch(n -> !HARMLESS.contains(n));
  }
}
