package io.spyhop.server.crash;

import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterSpec;
import io.spyhop.cluster.Server;
import io.spyhop.cluster.ServerRole;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * HBase with a JVM for the master and one for each region server, in {@code target/crash}, with
 * settings that make crashes interesting. HDFS and ZooKeeper run in this JVM. A server that is
 * started again has its port and therefore its index directory again.
 *
 * <p>HDFS goes with the JVM: when it is shut down it clears all shutdown hooks, and then no HBase
 * starts in this JVM any more.
 */
final class CrashCluster implements AutoCloseable {
  private static final int SESSION_MILLIS = 6_000;
  private static final String REGION_SERVER_CLASSES = "hbase.coprocessor.regionserver.classes";

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Path dir = Path.of("target", "crash").toAbsolutePath();
  private final Path indexes = dir.resolve("data").resolve("ifiles");
  private final List<Server> servers;
  private final Cluster cluster;
  private final Connection connection;

  /** Starts everything and waits until all servers have reported. */
  CrashCluster(int count) throws Exception {
    this(count, "512m");
  }

  /** The same, with a heap for each server as of {@code -Xmx}. */
  CrashCluster(int count, String heap) throws Exception {
    this(count, heap, System.getProperty("java.class.path"), Map.of());
  }

  /**
   * Starts everything and waits until all servers have reported.
   *
   * @param heap of each server, as of {@code -Xmx}
   * @param classPath of master and region servers
   */
  CrashCluster(int count, String heap, String classPath) throws Exception {
    this(count, heap, classPath, Map.of());
  }

  /** The same, with a heap for each server, and settings that differ from those of others. */
  CrashCluster(int count, String heap, Map<String, String> others) throws Exception {
    this(count, heap, System.getProperty("java.class.path"), others);
  }

  /** The same, with both. */
  CrashCluster(int count, String heap, String classPath, Map<String, String> others)
      throws Exception {
    util.getConfiguration().setInt("hbase.zookeeper.property.minSessionTimeout", 2_000);
    util.startMiniZKCluster();
    util.startMiniDFSCluster(1);
    FileUtil.fullyDelete(dir.toFile());
    cluster =
        Cluster.start(
            dir,
            ClusterSpec.builder()
                .fileSystem(util.getTestFileSystem().getUri())
                .zooKeeper(zooKeeperPort())
                .regionServers(count)
                .heap(ServerRole.MASTER, heap)
                .heap(ServerRole.REGION_SERVER, heap)
                .classPath(classPath)
                .jvmOption("-XX:TieredStopAtLevel=1")
                .settings(settings(others))
                .life(ClusterSpec.Life.ENDS_WITH_JVM)
                .build());
    servers = new ArrayList<>(cluster.servers(ServerRole.REGION_SERVER));
    connection = ConnectionFactory.createConnection(clientConfiguration());
  }

  /** Starts a server that does not load Spyhop, and says which; returns at once. */
  int addWithoutSpyhop() throws IOException {
    servers.add(cluster.addRegionServer(Map.of(REGION_SERVER_CLASSES, "")));
    return servers.size() - 1;
  }

  /** Forgets the last server, which has ended: it is not waited for any more. */
  void removeLast() throws IOException {
    cluster.forget(servers.remove(servers.size() - 1));
  }

  /** Small files, many of them, and work that takes several steps. */
  private Map<String, String> settings(Map<String, String> others) {
    Map<String, Object> all =
        Map.ofEntries(
            Map.entry(REGION_SERVER_CLASSES, SpyhopRegionServer.class.getName()),
            Map.entry("hbase.coprocessor.master.classes", SpyhopMaster.class.getName()),
            Map.entry("spyhop.ifile.dir", indexes.toUri()),
            Map.entry("dfs.replication", 1),
            Map.entry("zookeeper.session.timeout", SESSION_MILLIS),
            Map.entry("hbase.lease.recovery.first.pause", 500),
            Map.entry("hbase.regionserver.msginterval", 300),
            Map.entry("hbase.hregion.memstore.flush.size", 192 << 10),
            Map.entry("hbase.hregion.memstore.flush.size.limit", 1),
            Map.entry("hbase.hstore.compaction.min", 3),
            Map.entry("hbase.hfile.compaction.discharger.interval", 1_000),
            Map.entry(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName()),
            Map.entry("spyhop.global.grace.ms", 1_000),
            Map.entry("spyhop.reconcile.ms", 100),
            Map.entry("spyhop.sweep.ms", 1_000),
            Map.entry("spyhop.sweep.absent.ms", 5_000));
    Map<String, String> settings = new HashMap<>();
    settings.put(HConstants.HBASE_RPC_SHORTOPERATION_RETRY_PAUSE_TIME, "50");
    all.forEach((name, value) -> settings.put(name, value.toString()));
    Configuration favours = new Configuration(false);
    TestCluster.favourIndexes(favours);
    favours.forEach(f -> settings.put(f.getKey(), f.getValue()));
    settings.putAll(others);
    return settings;
  }

  private Configuration clientConfiguration() {
    Configuration conf = new Configuration(util.getConfiguration());
    conf.setInt("hbase.client.retries.number", 100);
    conf.setInt("hbase.client.pause", 100);
    conf.setInt("hbase.client.operation.timeout", 300_000);
    conf.setInt("hbase.client.meta.operation.timeout", 300_000);
    conf.setInt("hbase.rpc.timeout", 20_000);
    return conf;
  }

  /** Starts a server that is not running; returns at once. */
  void start(int server) throws IOException {
    servers.get(server).start();
  }

  /** Stops a server as an operator does and starts it again, with a class path. */
  void restart(int server, String classPath) throws IOException {
    restart(servers.get(server), classPath);
  }

  /** The same for the master. */
  void restartMaster(String classPath) throws IOException {
    restart(cluster.servers(ServerRole.MASTER).get(0), classPath);
  }

  private void restart(Server server, String classPath) throws IOException {
    server.stop();
    server.start(classPath);
    awaitServers();
  }

  /** Where clients find the cluster: ZooKeeper's port on this machine. */
  int zooKeeperPort() {
    return util.getZkCluster().getClientPort();
  }

  /** Ends a server's process from one instruction to the next. */
  void kill9(int server) throws IOException {
    servers.get(server).kill();
  }

  /** The same for the master. */
  void kill9Master() throws IOException {
    cluster.servers(ServerRole.MASTER).get(0).kill();
  }

  /** Starts the master that is not running; returns at once. */
  void startMaster() throws IOException {
    cluster.servers(ServerRole.MASTER).get(0).start();
  }

  /** Whether a server's process runs. */
  boolean isAlive(int server) {
    try {
      return servers.get(server).isRunning();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a server's process has ended by itself. */
  void awaitEnd(int server) throws IOException {
    servers.get(server).awaitEnd();
  }

  /** Which server has this name, now or before. */
  int indexOf(ServerName name) {
    return servers.stream().map(Server::port).toList().indexOf(name.getPort());
  }

  /** How many region servers there are, running or not. */
  int size() {
    return servers.size();
  }

  /** Fails if a server has ended that nobody killed. */
  void requireAllAlive() throws IOException {
    cluster.requireRunning(cluster.servers());
  }

  /** Waits until every server, as last started, has reported to the master. */
  void awaitServers() throws IOException {
    cluster.awaitUp(cluster.servers());
  }

  /** The name that a server has since it was last started. */
  ServerName name(int server) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (ServerName name : admin.getRegionServers()) {
        if (servers.get(server).is(name)) {
          return name;
        }
      }
    }
    throw new IOException(servers.get(server) + " has not reported");
  }

  /** Whether the master counts a server among the living, as last started or before. */
  boolean isListed(int server) throws IOException {
    int port = servers.get(server).port();
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().stream().anyMatch(s -> s.getPort() == port);
    }
  }

  /** The logs of the region servers. */
  List<Path> logs() {
    return servers.stream().map(Server::log).toList();
  }

  /** HDFS gives no answer until {@link #startNameNode}. */
  void stopNameNode() {
    util.getDFSCluster().shutdownNameNode(0);
  }

  void startNameNode() throws IOException {
    util.getDFSCluster().restartNameNode(0);
  }

  /** A shared connection. */
  Connection connection() {
    return connection;
  }

  /** The root of all index directories. */
  Path indexes() {
    return indexes;
  }

  /** A server's index directory. */
  Path indexes(int server) {
    return indexes.resolve("127.0.0.1," + servers.get(server).port());
  }

  /** Where HBase's own files are. */
  FileSystem files() throws IOException {
    return FileSystem.get(util.getConfiguration()); // HBase's own nests deeper with every call
  }

  @Override
  public void close() throws Exception {
    connection.close();
    cluster.close();
    util.shutdownMiniZKCluster();
  }
}
