package io.spyhop.client.internal.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the region servers that have regions of a table and have not loaded Spyhop, as they report
 * to the master. Stateless, thread-safe.
 */
final class ServersWithout {
  private static final Logger LOG = LoggerFactory.getLogger(ServersWithout.class);

  /**
   * What regions load on servers with Spyhop: servers report the coprocessors of their regions, by
   * names of classes without the package, not their own.
   */
  private static final String LOADED = "SpyhopRegion";

  private ServersWithout() {}

  /**
   * A line for each such server; none if the master does not say.
   *
   * @param regions of a table with a global index
   */
  static List<String> lines(Connection connection, List<HRegionLocation> regions) {
    try (Admin admin = connection.getAdmin()) {
      List<String> lines = new ArrayList<>();
      Map<ServerName, ServerMetrics> servers =
          admin
              .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
              .getLiveServerMetrics();
      servers.forEach(
          (server, metrics) -> {
            long open = regions.stream().filter(r -> server.equals(r.getServerName())).count();
            if (open > 0 && metrics.getCoprocessorNames().stream().noneMatch(LOADED::equals)) {
              lines.add(line(server, open));
            }
          });
      return lines;
    } catch (IOException e) {
      LOG.debug("The master does not say which servers run Spyhop", e);
      return List.of();
    }
  }

  private static String line(ServerName server, long open) {
    return "region server "
        + server
        + " runs without Spyhop and has "
        + open
        + (open == 1 ? " region" : " regions")
        + " of the table: queries scan until no region is open there and what was written there"
        + " is built";
  }
}
