package io.spyhop.server.hook;

import io.spyhop.core.protocol.Release;
import io.spyhop.core.protocol.ServerHealth;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.server.ddl.GlobalIndexDdl;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.index.local.upkeep.IndexService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** Looks for what is wrong with this server, when a user asks. Stateless. */
final class SelfCheck {
  private static final String NOT_STARTED = "Spyhop could not be started";
  private static final String SEE_LOG =
      "see the server's log ('Spyhop is off'), mend the cause and restart it";

  private SelfCheck() {}

  /** A master's. */
  static ServerHealth of(GlobalIndexDdl ddl) throws IOException {
    return health(ddl.troubles());
  }

  /** That of a server on which Spyhop could not be started. */
  static ServerHealth ofIdle() throws IOException {
    return health(List.of(new Trouble(NOT_STARTED, SEE_LOG)));
  }

  /** A region server's. */
  static ServerHealth of(RegionServerServices server, IndexService service) throws IOException {
    List<Trouble> troubles = new ArrayList<>();
    service.checkDirectory().ifPresent(troubles::add);
    SpyhopRpcSchedulerFactory.trouble(server.getConfiguration()).ifPresent(troubles::add);
    troubles.addAll(observers(server.getRegions()));
    return health(troubles);
  }

  private static ServerHealth health(List<Trouble> troubles) throws IOException {
    return new ServerHealth(Release.version(), EnvironmentEdgeManager.currentTime(), troubles);
  }

  /** HBase may have loaded the observer from its site and from the table's descriptor. */
  private static List<Trouble> observers(List<? extends Region> regions) {
    Map<TableName, Long> twice =
        regions.stream()
            .filter(r -> SpyhopRegion.observersOf(r).size() > 1)
            .collect(
                Collectors.groupingBy(
                    r -> r.getRegionInfo().getTable(), TreeMap::new, Collectors.counting()));
    List<Trouble> troubles = new ArrayList<>();
    twice.forEach((table, count) -> troubles.add(loadedTwice(table, count)));
    return troubles;
  }

  private static Trouble loadedTwice(TableName table, long regions) {
    return new Trouble(
        "the observer of regions is loaded more than once in "
            + regions
            + (regions == 1 ? " region" : " regions")
            + " of table '"
            + table
            + "'; one of them works",
        "take "
            + SpyhopRegion.class.getName()
            + " out of the table's descriptor and out of hbase.coprocessor.region.classes: servers"
            + " load it by themselves");
  }
}
