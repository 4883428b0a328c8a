package io.spyhop.server.access;

import java.util.Set;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Whether coprocessors watch a region that are not known to leave cells alone. They may change them
 * in a compaction, or what a scan sees; then index files are never merged, and no index record
 * stands for a row. They may also refuse callers or hide cells from them, by rules that only they
 * know. Those that are known are named one by one: HBase's examples, in HBase's packages, rewrite
 * values (correctness rule 32). Stateless.
 */
public final class ForeignObservers {
  /** They change nothing, and hide nothing from anybody. */
  private static final Set<String> HARMLESS =
      Set.of(
          "io.spyhop.server.hook.SpyhopRegion",
          "org.apache.hadoop.hbase.backup.BackupObserver",
          "org.apache.hadoop.hbase.constraint.ConstraintProcessor",
          "org.apache.hadoop.hbase.coprocessor.MetaTableMetrics",
          "org.apache.hadoop.hbase.replication.regionserver.ReplicationObserver");

  /** HBase's own, whose rules are known. */
  private static final Set<String> CHECKING =
      Set.of(
          "org.apache.hadoop.hbase.security.access.AccessController",
          "org.apache.hadoop.hbase.security.visibility.VisibilityController");

  /** HBase's that observe nothing, and need not be where an index table's regions are. */
  private static final Set<String> ENDPOINTS =
      Set.of(
          "org.apache.hadoop.hbase.coprocessor.AggregateImplementation",
          "org.apache.hadoop.hbase.coprocessor.Export");

  /** Settings that a table may have of its own, and HBase goes by: what it loads is not known. */
  private static final Set<String> LOADING =
      Set.of(
          CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
          CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY,
          CoprocessorHost.COPROCESSORS_ENABLED_CONF_KEY,
          CoprocessorHost.USER_COPROCESSORS_ENABLED_CONF_KEY);

  private ForeignObservers() {}

  /** Whether there is any. */
  public static boolean watch(HRegion region) {
    return region.getCoprocessorHost() != null
        && region.getCoprocessorHost().findCoprocessors(RegionCoprocessor.class).stream()
            .filter(c -> c.getRegionObserver().isPresent())
            .map(c -> c.getClass().getName())
            .anyMatch(n -> !HARMLESS.contains(n) && !CHECKING.contains(n));
  }

  /**
   * Whether a table's descriptor adds, for its regions alone, coprocessors that may be asked what a
   * caller may see. HBase's own count: nobody else loads them for one table.
   */
  static boolean areNamedBy(TableDescriptor table) {
    return LOADING.stream().anyMatch(key -> table.getValue(key) != null)
        || table.getCoprocessorDescriptors().stream()
            .map(CoprocessorDescriptor::getClassName)
            .anyMatch(n -> !HARMLESS.contains(n) && !ENDPOINTS.contains(n) && mayObserve(n));
  }

  /** Endpoints alone observe nothing; of a class that this server does not know nobody can tell. */
  private static boolean mayObserve(String name) {
    try {
      Class<?> observer = Class.forName(name, false, ForeignObservers.class.getClassLoader());
      return !RegionCoprocessor.class.isAssignableFrom(observer)
          || observer.getMethod("getRegionObserver").getDeclaringClass() != RegionCoprocessor.class;
    } catch (ReflectiveOperationException | LinkageError e) {
      return true;
    }
  }
}
