package io.spyhop.server.testing;

import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.internal.global.EntryCosts;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.view.store.ViewRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;

/** One HBase mini cluster for all tests of the JVM; it goes with the JVM. */
public final class TestCluster implements AutoCloseable {
  /** How many region servers the shared cluster has. */
  public static final int SERVERS = 3;

  /** The tag of tests of what HBase 2.5 does not have. */
  public static final String NEEDS_2_6 = "needs-2.6";

  /**
   * Milliseconds after which HBase ends the whole JVM because a server is still aborting. A server
   * that is killed within a mini cluster aborts for ever.
   */
  private static final long NEVER = Duration.ofDays(7).toMillis();

  /** Started by the first test that asks for it. */
  private static final class Shared {
    static final TestCluster CLUSTER = start(SERVERS, conf -> {});
  }

  private final HBaseTestingUtility util;

  private TestCluster(HBaseTestingUtility util) {
    this.util = util;
  }

  /** Whether this HBase truncates single regions. */
  public static boolean truncatesRegions() {
    return !VersionInfo.getVersion().startsWith("2.5.");
  }

  /**
   * The running cluster.
   *
   * @throws IllegalStateException if a test before this one has lost one of its servers. Another
   *     one is started, so that this is said once
   */
  public static TestCluster get() {
    long alive = Shared.CLUSTER.servers().count();
    if (alive != SERVERS) {
      Shared.CLUSTER.complete(alive);
      throw new IllegalStateException(
          "an earlier test left " + alive + " of " + SERVERS + " servers: look for ABORTING");
    }
    return Shared.CLUSTER;
  }

  private void complete(long alive) {
    try {
      for (long server = alive; server < SERVERS; server++) {
        startServer();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A cluster of its own, for tests that need other settings or that take servers away.
   *
   * @param settings changes the configuration before the start
   */
  public static TestCluster start(int servers, Consumer<Configuration> settings) {
    try {
      BriefDefaults.write();
      FutexBuckets.enlarge();
      Configuration conf = new HBaseTestingUtility().getConfiguration();
      conf.set("hbase.coprocessor.regionserver.classes", SpyhopRegionServer.class.getName());
      conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName());
      conf.set(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName());
      conf.set(HConstants.REGION_IMPL, ViewRegion.class.getName());
      conf.setLong("hbase.regionserver.abort.timeout", NEVER);
      conf.setInt("hbase.balancer.period", Integer.MAX_VALUE);
      // Tests compact when they choose to: a flush waits for nobody.
      conf.setInt("hbase.hstore.blockingStoreFiles", 1_000);
      conf.set("hbase.crypto.keyprovider", KeyProviderForTesting.class.getName());
      conf.set("hbase.crypto.master.key.name", "hbase");
      conf.set(HConstants.CRYPTO_CIPHERPROVIDER_CONF_KEY, OneCipherProvider.class.getName());
      conf.set("hbase.superuser", serverUsers());
      conf.setLong("spyhop.reconcile.ms", 100);
      conf.setLong("spyhop.refresh.ms", 60_000);
      conf.setLong("spyhop.global.grace.ms", 8_000);
      conf.set(
          "spyhop.ifile.dir",
          Files.createTempDirectory(Path.of("target"), "spyhop").toUri().toString());
      favourIndexes(conf);
      conf.addResource("mini-cluster/hbase-site.xml"); // tests of other modules have it, too
      conf.setInt("hbase.master.wait.on.regionservers.maxtostart", servers);
      settings.accept(conf);
      // Each region that opens or closes has HBase register all metrics of the JVM anew, those of
      // clusters that are no more, too: a tenth of the tests' CPU time.
      JmxCacheBuster.clearJmxCache(); // what is not begun cannot be stopped
      JmxCacheBuster.stop();
      HBaseTestingUtility util = new HBaseTestingUtility(conf);
      util.startMiniCluster(
          StartMiniClusterOption.builder().numRegionServers(servers).numDataNodes(1).build());
      return new TestCluster(util);
    } catch (Exception e) {
      throw new IllegalStateException("the mini cluster does not start", e);
    }
  }

  /** Tables of tests are so small that scans of them cost less, if costs are what they are. */
  public static void favourIndexes(Configuration conf) {
    conf.setInt("spyhop.cost.probe", 220);
    conf.setInt("spyhop.cost.reread", 8_000);
    conf.setInt("spyhop.cost.fetch", 120);
    conf.setInt("spyhop.cost.setup", 50_000);
    for (String ofClients : new String[] {"entry", "get", "call"}) {
      conf.setInt(EntryCosts.PREFIX + ofClients, 0);
    }
  }

  /** A mini cluster on HDFS gives every server a user of its own; a real one has one for all. */
  private static String serverUsers() {
    String user = System.getProperty("user.name");
    return IntStream.range(0, 100)
        .mapToObj(i -> user + ".hfs." + i)
        .collect(joining(",", user + ",", ""));
  }

  @Override
  public void close() throws Exception {
    util.shutdownMiniCluster();
  }

  /** HBase's own utility. */
  public HBaseTestingUtility util() {
    return util;
  }

  /** A shared connection. */
  public Connection connection() throws IOException {
    return util.getConnection();
  }

  /** A shared admin. */
  public Admin admin() throws IOException {
    return util.getAdmin();
  }

  /** Whether the cluster checks what users may do. */
  public boolean isSecured() {
    return util.getConfiguration().getBoolean("hbase.security.authorization", false);
  }

  /** How many region scans were answered from an index so far. */
  public long indexedQueries() {
    return sum(m -> m.indexedQueries);
  }

  /** How often reading an index failed unexpectedly so far. */
  public long defects() {
    return sum(m -> m.defects);
  }

  /** Adds up a counter of all servers; those of one JVM share it. */
  public long sum(Function<ServerMetrics, Counter> counter) {
    return util.getHBaseCluster().getRegionServerThreads().stream()
        .map(t -> t.getRegionServer().getRegionServerCoprocessorHost())
        .map(h -> h.findCoprocessor(SpyhopRegionServer.class))
        .filter(Objects::nonNull)
        .map(SpyhopRegionServer::metrics)
        .filter(Objects::nonNull) // of a server on which Spyhop could not start
        .map(counter)
        .distinct()
        .mapToLong(Counter::getCount)
        .sum();
  }

  /** The server that has a region open. */
  public ServerName serverOf(HRegion region) {
    return util.getHBaseCluster().getRegionServerThreads().stream()
        .map(t -> t.getRegionServer())
        .filter(s -> s.getRegions().contains(region))
        .findFirst()
        .orElseThrow()
        .getServerName();
  }

  private Stream<HRegionServer> servers() {
    return util.getHBaseCluster().getLiveRegionServerThreads().stream()
        .map(t -> t.getRegionServer())
        .filter(s -> !s.isAborted() && !s.isStopped());
  }

  /** The open regions of a table. */
  public List<HRegion> regions(TableName table) {
    return servers()
        .flatMap(s -> s.getRegions(table).stream())
        .filter(r -> RegionReplicaUtil.isDefaultReplica(r.getRegionInfo()))
        .toList();
  }

  /** Takes a server away without a word, as a crash does, and starts another one. */
  public void replace(ServerName victim) throws IOException {
    kill(victim);
    startServer();
  }

  /** Takes a server away without a word, until it answers nobody and the master knows. */
  public void kill(ServerName victim) throws IOException {
    util.getMiniHBaseCluster().killRegionServer(victim);
    await("the master to notice that " + victim + " is gone")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> !admin().getRegionServers().contains(victim));
  }

  /** Starts one more server. */
  public void startServer() throws IOException {
    awaitReport(
        util.getMiniHBaseCluster()
            .startRegionServerAndWait(60_000)
            .getRegionServer()
            .getServerName());
  }

  /** Waits for a new server's first report: before, the master gives regions to others instead. */
  public void awaitReport(ServerName server) {
    await("the first report of " + server)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              var known =
                  admin()
                      .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
                      .getLiveServerMetrics()
                      .get(server);
              return known != null && known.getLastReportTimestamp() > 0;
            });
  }
}
