package io.spyhop.server.access;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Finds coprocessors of a region that are not known to leave cells alone. They may change them in a
 * compaction, or what a scan sees; then index files are never merged, and no index record stands
 * for a row. They may also refuse callers or hide cells from them, by rules that only they know.
 * Those that are known are named one by one: HBase's examples, in HBase's packages, rewrite values
 * (correctness rule 32). Stateless.
 */
public final class ForeignObservers {
  private static final String OURS = "io.spyhop.server.hook.SpyhopRegion";

  /** They change nothing, and hide nothing from anybody. */
  private static final Set<String> HARMLESS =
      Set.of(
          OURS,
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

  /** Hooks that may change what is stored when others before have seen it. */
  private static final Set<String> CHANGING =
      Set.of(
          "preBatchMutate",
          "postIncrementBeforeWAL",
          "postAppendBeforeWAL",
          "postMutationBeforeWAL");

  private ForeignObservers() {}

  /**
   * The first of those that HBase calls after ours and that may add to a write, or change it: the
   * site's priorities are below ours, but a table may name any, and those of the same priority come
   * in the order in which they are loaded. An observer that overrides none of these hooks cannot.
   */
  public static Optional<String> changingLater(HRegion region) {
    if (region.getCoprocessorHost() == null) {
      return Optional.empty();
    }
    return region.getCoprocessorHost().findCoprocessors(RegionCoprocessor.class).stream()
        .dropWhile(c -> !c.getClass().getName().equals(OURS))
        .filter(c -> !c.getClass().getName().equals(OURS))
        .filter(c -> c.getRegionObserver().filter(ForeignObservers::mayChange).isPresent())
        .map(c -> c.getClass().getName())
        .findFirst();
  }

  private static boolean mayChange(RegionObserver observer) {
    try {
      return Arrays.stream(observer.getClass().getMethods())
          .filter(m -> CHANGING.contains(m.getName()))
          .anyMatch(m -> m.getDeclaringClass() != RegionObserver.class);
    } catch (LinkageError e) {
      return true;
    }
  }

  /** Whether there is any. */
  public static boolean watch(HRegion region) {
    if (region.getCoprocessorHost() == null) {
      return false;
    }
    for (RegionCoprocessor c :
        region.getCoprocessorHost().findCoprocessors(RegionCoprocessor.class)) {
      String name = c.getClass().getName();
      if (!HARMLESS.contains(name)
          && !CHECKING.contains(name)
          && c.getRegionObserver().isPresent()) {
        return true;
      }
    }
    return false;
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
