package io.spyhop.cli.console;

import io.spyhop.cli.console.Snapshot.Buckets;
import io.spyhop.cli.console.Snapshot.Index;
import io.spyhop.cli.console.Snapshot.Rebalance;
import io.spyhop.cli.console.Snapshot.Table;
import io.spyhop.cli.console.Snapshot.View;
import io.spyhop.client.RegionStatistics;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.ViewOption;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Looks at one table; what cannot be seen is as it was last. Not thread-safe. */
final class TableLook {
  /** Regions whose statistics are shown; how many more there are is said. */
  private static final int MAX_REGIONS = 200;

  private final Connection connection;
  private final Spyhop spyhop;
  private final TableName name;
  private final Part<Boolean> enabled;
  private final Part<List<Index>> indexes;
  private final Part<List<RegionStatistics>> statistics;
  private final Part<List<View>> views;
  private final Part<Buckets> buckets;
  private final Part<Rebalance> rebalance;

  TableLook(Connection connection, Spyhop spyhop, TableName name) {
    this.connection = connection;
    this.spyhop = spyhop;
    this.name = name;
    this.enabled = new Part<>("table '" + name + "'");
    this.indexes = new Part<>("indexes of table '" + name + "'");
    this.statistics = new Part<>("statistics of table '" + name + "'");
    this.views = new Part<>("sorted views of table '" + name + "'");
    this.buckets = new Part<>("buckets of table '" + name + "'");
    this.rebalance = new Part<>("rebalances of table '" + name + "'");
  }

  /** Whether there is something of Spyhop's to be seen. */
  static boolean isWorthIt(TableDescriptor table) {
    IndexSchema schema = IndexSchema.of(table);
    return !schema.indexes().isEmpty()
        || !schema.unreadable().isEmpty()
        || hasViews(table)
        || BucketOptions.of(table).isPresent();
  }

  private static boolean hasViews(TableDescriptor table) {
    return Stream.of(table.getColumnFamilies()).anyMatch(ViewOption::isOn);
  }

  /**
   * Looks at it.
   *
   * @param thoroughly whether to look, too, at what takes longer
   */
  void look(long at, TableDescriptor table, boolean thoroughly) throws InterruptedIOException {
    if (!enabled.look(at, this::isEnabled)) {
      return;
    }
    boolean serves = enabled.last();
    indexes.look(
        at,
        () -> serves ? spyhop.admin().status(name).stream().map(Statuses::of).toList() : List.of());
    if (thoroughly) {
      statistics.look(at, () -> serves ? spyhop.admin().regionStatistics(name) : List.of());
      boolean viewed = serves && hasViews(table);
      views.look(at, () -> viewed ? Statuses.views(spyhop.admin().viewStatus(name)) : List.of());
      if (BucketOptions.of(table).isPresent()) {
        buckets.look(at, () -> Statuses.buckets(spyhop.buckets().buckets(name)));
        rebalance.look(
            at, () -> spyhop.buckets().lastRebalance(name).map(Statuses::rebalance).orElse(null));
      }
    }
  }

  private boolean isEnabled() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.isTableEnabled(name);
    }
  }

  /** As it was seen last. */
  Table table() {
    Map<String, Long> seen = new TreeMap<>();
    see(seen, "enabled", enabled);
    see(seen, "indexes", indexes);
    see(seen, "statistics", statistics);
    see(seen, "views", views);
    see(seen, "buckets", buckets);
    see(seen, "rebalance", rebalance);
    List<RegionStatistics> all = statistics.last();
    int shown = all == null ? 0 : Math.min(MAX_REGIONS, all.size());
    return new Table(
        name.getNameAsString(),
        seen,
        enabled.last(),
        indexes.last(),
        all == null ? null : all.subList(0, shown),
        all == null ? 0 : all.size() - shown,
        views.last(),
        buckets.last(),
        rebalance.last());
  }

  private static void see(Map<String, Long> seen, String name, Part<?> part) {
    if (part.seenAt() != null) {
      seen.put(name, part.seenAt());
    }
  }

  void addFailures(List<String> failures) {
    for (Part<?> part : List.of(enabled, indexes, statistics, views, buckets, rebalance)) {
      part.addFailure(failures);
    }
  }
}
