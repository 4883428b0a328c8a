package io.spyhop.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Spreads the regions of tables over the servers, always in the same way. Stateless. */
public final class Placement {
  private Placement() {}

  /** No balancer shall move anything during a measurement. */
  public static void freeze(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
    }
  }

  /**
   * Moves a table's regions so that neighbours are on different servers.
   *
   * @param offset the server of the first region; where base tables and index tables differ in it,
   *     every server has regions of both
   * @throws IOException if a region is elsewhere afterwards
   */
  public static void spread(Connection connection, TableName table, int offset) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
      servers.sort(Comparator.comparing(ServerName::getPort));
      List<RegionInfo> regions = admin.getRegions(table);
      regions.sort(RegionInfo.COMPARATOR);
      for (int i = 0; i < regions.size(); i++) {
        ServerName server = servers.get((i + offset) % servers.size());
        if (!admin.getRegions(server).contains(regions.get(i))) {
          admin.move(regions.get(i).getEncodedNameAsBytes(), server);
        }
        check(admin, regions.get(i), server);
      }
    }
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
    }
  }

  /**
   * Sees to it that every server has as many of a table's regions, moving them only if it has to: a
   * new table is even as a rule, and moves take time.
   *
   * @throws IOException if a region is elsewhere after a move
   */
  public static void even(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<Integer> counts = new ArrayList<>();
      for (ServerName server : admin.getRegionServers()) {
        counts.add(
            (int)
                admin.getRegions(server).stream().filter(r -> r.getTable().equals(table)).count());
      }
      if (Collections.max(counts) - Collections.min(counts) <= 1) {
        return;
      }
    }
    spread(connection, table, 0);
  }

  private static void check(Admin admin, RegionInfo region, ServerName server) throws IOException {
    if (!admin.getRegions(server).contains(region)) {
      throw new IOException(
          "region " + region.getRegionNameAsString() + " is not on " + server + " after a move");
    }
  }
}
