package io.spyhop.server.bucket;

import io.spyhop.core.bucket.BucketOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's own balancer, which passes over the regions of bucketed tables: {@link Rebalances#even}
 * moves these. All other tables, and where regions go that have no server, are HBase's as before.
 * Set as {@code hbase.master.loadbalancer.class}. Thread-safe as HBase's own.
 */
public final class BucketBalancer extends StochasticLoadBalancer {
  private static final Logger LOG = LoggerFactory.getLogger(BucketBalancer.class);

  /**
   * Plans the moves of a table, or of all.
   *
   * @param load regions by server, of all tables unless HBase balances table by table
   */
  @Override
  protected List<RegionPlan> balanceTable(TableName table, Map<ServerName, List<RegionInfo>> load) {
    Map<TableName, Boolean> known = new HashMap<>();
    Map<ServerName, List<RegionInfo>> others = new TreeMap<>();
    load.forEach(
        (server, regions) ->
            others.put(
                server,
                regions.stream()
                    .filter(r -> !known.computeIfAbsent(r.getTable(), this::hasBuckets))
                    .toList()));
    boolean nothing = others.values().stream().allMatch(List::isEmpty);
    return nothing ? List.of() : super.balanceTable(table, others);
  }

  /** A table of which nothing can be known now stays where it is, this time. */
  private boolean hasBuckets(TableName table) {
    try {
      TableDescriptor descriptor = services.getTableDescriptors().get(table);
      return descriptor == null || descriptor.getValue(BucketOptions.KEY) != null;
    } catch (IOException e) {
      LOG.warn("Regions of {} are not balanced now", table, e);
      return true;
    }
  }
}
