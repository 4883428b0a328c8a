package io.spyhop.server.testing;

import static org.awaitility.Awaitility.await;

import io.spyhop.core.region.Attributes;
import io.spyhop.core.region.RegionRequest;
import io.spyhop.core.region.RegionStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/** What tests do to regions. */
public final class Regions {
  private Regions() {}

  /** Flushes every region of a table. */
  public static void flush(TestCluster cluster, TableName table) throws IOException {
    for (HRegion r : cluster.regions(table)) {
      r.flush(true);
    }
  }

  /** Compacts every region of a table and waits for the end. */
  public static void compact(TestCluster cluster, TableName table, boolean major)
      throws IOException {
    for (HRegion r : cluster.regions(table)) {
      r.compact(major);
      for (HStore s : r.getStores()) {
        s.closeAndArchiveCompactedFiles();
      }
    }
  }

  /** Waits until every HFile is covered by every index. */
  public static void awaitCovered(TestCluster cluster, TableName table) {
    await("every HFile of " + table + " to be covered")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              for (RegionStatus s : status(cluster, table)) {
                for (RegionStatus.IndexState i : s.indexes()) {
                  if (i.covered() != i.files()) {
                    throw new AssertionError(s + " is not covered");
                  }
                }
              }
            });
  }

  /** What the regions of a table say of their indexes. */
  public static List<RegionStatus> status(TestCluster cluster, TableName table) throws IOException {
    List<RegionStatus> all = new ArrayList<>();
    try (Table t = cluster.connection().getTable(table)) {
      for (HRegion r : cluster.regions(table)) {
        byte[] start = r.getRegionInfo().getStartKey();
        Get get = new Get(start.length == 0 ? new byte[] {0} : start);
        get.setAttribute(Attributes.REQUEST, RegionRequest.of(RegionRequest.Kind.STATUS).encode());
        Result result = t.get(get);
        if (result.isEmpty()) {
          throw new AssertionError(r + " does not answer");
        }
        all.add(RegionStatus.decode(result.value()));
      }
    }
    return all;
  }
}
