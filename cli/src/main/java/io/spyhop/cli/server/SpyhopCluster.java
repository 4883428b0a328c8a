package io.spyhop.cli.server;

import io.spyhop.cluster.ClusterSpec;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** How Spyhop is installed on HBase's servers. Stateless. */
public final class SpyhopCluster {
  private static final String REGION_SERVER_CLASS = "io.spyhop.server.hook.SpyhopRegionServer";
  private static final String SCHEDULER_CLASS = "io.spyhop.server.global.SpyhopRpcSchedulerFactory";
  private static final String REGION_CLASS = "io.spyhop.server.view.store.ViewRegion";
  private static final String MASTER_CLASS = "io.spyhop.server.hook.SpyhopMaster";

  private SpyhopCluster() {}

  /** The settings of all servers that load Spyhop. */
  static Map<String, String> settings(String indexes) {
    return Map.ofEntries(
        Map.entry(CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY, REGION_SERVER_CLASS),
        Map.entry(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY, MASTER_CLASS),
        Map.entry("hbase.region.server.rpc.scheduler.factory.class", SCHEDULER_CLASS),
        Map.entry(HConstants.REGION_IMPL, REGION_CLASS),
        Map.entry("hbase.assignment.dispatch.wait.msec", "10"),
        Map.entry("hbase.procedure.remote.dispatcher.delay.msec", "10"),
        Map.entry(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, "25"),
        Map.entry(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, "10"),
        Map.entry(HConstants.HBASE_RPC_SHORTOPERATION_RETRY_PAUSE_TIME, "50"),
        Map.entry("spyhop.ifile.dir", indexes));
  }

  /**
   * The beginning of what a cluster of processes is to have: Spyhop, with this JVM's class path.
   *
   * @param dir where the cluster is going to be; its index files are below it
   */
  public static ClusterSpec.Builder in(Path dir) {
    Path indexes = dir.toAbsolutePath().normalize().resolve("data").resolve("ifiles");
    return ClusterSpec.builder().settings(settings("file://" + indexes));
  }
}
