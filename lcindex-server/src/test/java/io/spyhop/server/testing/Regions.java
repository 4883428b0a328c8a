package io.spyhop.server.testing;

import static org.awaitility.Awaitility.await;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/** Operations of tests on regions. */
public final class Regions {
  private Regions() {}

  /** Flushes every region of a table. */
  public static void flush(TestCluster cluster, TableName table) throws IOException {
    each(cluster, table, r -> r.flush(true));
  }

  /** Moves the only region of a table to another server and waits until it is open there. */
  public static void move(TestCluster cluster, TableName table) throws IOException {
    HRegion region = cluster.regions(table).get(0);
    ServerName from = cluster.serverOf(region);
    ServerName to =
        cluster.admin().getRegionServers().stream()
            .filter(s -> !s.equals(from))
            .findFirst()
            .orElseThrow();
    move(cluster, table, to);
  }

  /** Moves the only region of a table to a server and waits until it is open there. */
  public static void move(TestCluster cluster, TableName table, ServerName to) throws IOException {
    HRegion region = cluster.regions(table).get(0);
    cluster.admin().move(region.getRegionInfo().getEncodedNameAsBytes(), to);
    await("the region to be moved")
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                cluster.regions(table).size() == 1
                    && cluster.serverOf(cluster.regions(table).get(0)).equals(to));
  }

  /** Has every region of a table read the table's definitions. */
  public static void refresh(TestCluster cluster, TableName table) throws IOException {
    try (Table t = cluster.connection().getTable(table)) {
      for (HRegion r : cluster.regions(table)) {
        t.get(RegionRequest.of(RegionRequest.Kind.REFRESH).toGet(r.getRegionInfo()));
      }
    }
  }

  /** An operation on a region. */
  @FunctionalInterface
  private interface Action {
    void on(HRegion region) throws IOException;
  }

  /** All regions side by side: most of the time goes into waiting for HDFS. */
  private static void each(TestCluster cluster, TableName table, Action action) throws IOException {
    try {
      cluster.regions(table).parallelStream()
          .forEach(
              r -> {
                try {
                  action.on(r);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Compacts every region of a table and waits for the end. */
  public static void compact(TestCluster cluster, TableName table, boolean major)
      throws IOException {
    each(cluster, table, r -> compact(r, major));
  }

  /** Compacts a region and waits for the end. */
  public static void compact(HRegion region, boolean major) throws IOException {
    region.compact(major);
    for (HStore s : region.getStores()) {
      s.closeAndArchiveCompactedFiles();
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

  /** What each region of a table did for a query, for messages. */
  public static List<String> reports(TestCluster cluster, TableName table, byte[] queryId)
      throws IOException {
    List<String> all = new ArrayList<>();
    try (Table t = cluster.connection().getTable(table)) {
      for (HRegion r : cluster.regions(table)) {
        byte[] start = r.getRegionInfo().getStartKey();
        Get get = new Get(start.length == 0 ? new byte[] {0} : start);
        get.setAttribute(
            Attributes.REQUEST, new RegionRequest(RegionRequest.Kind.REPORT, queryId).encode());
        Result result = t.get(get);
        all.add(
            r
                + " on "
                + cluster.serverOf(r)
                + ": "
                + (result.isEmpty() ? "no report" : RegionPlan.decode(result.value())));
      }
    }
    return all;
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
