package io.spyhop.server.crash;

import static org.awaitility.Awaitility.await;

import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * HBase with a JVM for the master and one for each region server. HDFS and ZooKeeper run in this
 * JVM. A server that is started again has its port and therefore its index directory again. What
 * the servers log is in {@code target/crash}.
 *
 * <p>HDFS goes with the JVM: when it is shut down it clears all shutdown hooks, and then no HBase
 * starts in this JVM any more.
 */
final class ProcessCluster implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int SESSION_MILLIS = 6_000;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Path indexes = Files.createTempDirectory("spyhop-crash");
  private final Path logs = Path.of("target", "crash");
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final String heap;
  private final String classPath;
  private final Path configuration;
  private final List<Long> started = new ArrayList<>();
  private final ServerProcess master;
  private final Thread endOfJvm = new Thread(this::killAll);
  private Connection connection;

  /** Starts everything and waits until all servers have reported. */
  ProcessCluster(int count) throws Exception {
    this(count, "512m", System.getProperty("java.class.path"));
  }

  /** The same, with a heap for each server as of {@code -Xmx}. */
  ProcessCluster(int count, String heap) throws Exception {
    this(count, heap, System.getProperty("java.class.path"));
  }

  /**
   * Starts everything and waits until all servers have reported.
   *
   * @param heap of each server, as of {@code -Xmx}
   * @param classPath of master and region servers
   */
  ProcessCluster(int count, String heap, String classPath) throws Exception {
    this.heap = heap;
    this.classPath = classPath;
    Runtime.getRuntime().addShutdownHook(endOfJvm);
    util.getConfiguration().setInt("hbase.zookeeper.property.minSessionTimeout", 2_000);
    util.startMiniZKCluster();
    util.startMiniDFSCluster(1);
    configuration = Files.createTempDirectory("spyhop-crash-conf");
    Files.createDirectories(logs);
    try (OutputStream out = Files.newOutputStream(configuration.resolve("hbase-site.xml"))) {
      site().writeXml(out);
    }
    master = process(HMaster.class, port("hbase.master.port", freePort()), configuration, "master");
    master.classPath(classPath);
    master.start();
    for (int i = 0; i < count; i++) {
      add(List.of());
    }
    connection = ConnectionFactory.createConnection(clientConfiguration());
    awaitServers();
  }

  /** Starts one more server, and says which; returns at once. */
  private int add(List<String> options) throws IOException {
    int server = servers.size();
    ports.add(freePort());
    started.add(0L);
    List<String> all = new ArrayList<>(port("hbase.regionserver.port", ports.get(server)));
    all.addAll(options);
    servers.add(process(HRegionServer.class, all, configuration, "server" + server));
    servers.get(server).classPath(classPath);
    start(server);
    return server;
  }

  /** Starts a server that does not load Spyhop, and says which. */
  int addWithoutSpyhop() throws IOException {
    return add(List.of("-D", "hbase.coprocessor.regionserver.classes="));
  }

  /** Forgets the last server, which has ended: it is not waited for any more. */
  void removeLast() {
    int last = servers.size() - 1;
    servers.remove(last);
    ports.remove(last);
    started.remove(last);
  }

  private static List<String> port(String setting, int port) {
    return List.of("-D", setting + "=" + port);
  }

  private ServerProcess process(
      Class<?> main, List<String> options, Path configuration, String name) throws IOException {
    Path log = logs.resolve(name + ".log");
    Files.deleteIfExists(log);
    return new ServerProcess(main, heap, options, configuration, log);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private Configuration site() throws IOException {
    Configuration site = new Configuration(false);
    TestCluster.favourIndexes(site);
    FileSystem fs = util.getTestFileSystem();
    site.set("fs.defaultFS", fs.getUri().toString());
    site.set("hbase.rootdir", fs.getUri() + "/hbase");
    site.set("hbase.tmp.dir", Files.createTempDirectory("spyhop-crash-tmp").toString());
    site.set("hbase.coprocessor.regionserver.classes", SpyhopRegionServer.class.getName());
    site.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName());
    site.set("hbase.zookeeper.quorum", HOST);
    site.set("spyhop.ifile.dir", indexes.toUri().toString());
    for (String role : List.of("master", "regionserver")) {
      site.set("hbase." + role + ".hostname", HOST);
      site.set("hbase." + role + ".ipc.address", HOST);
      site.setInt("hbase." + role + ".info.port", -1);
    }
    settings().forEach((name, value) -> site.set(name, String.valueOf(value)));
    site.setInt("hbase.zookeeper.property.clientPort", util.getZkCluster().getClientPort());
    return site;
  }

  /** Small files, many of them, and work that takes several steps. */
  private static Map<String, Object> settings() {
    return Map.ofEntries(
        Map.entry("hbase.cluster.distributed", true),
        Map.entry("dfs.replication", 1),
        Map.entry("zookeeper.session.timeout", SESSION_MILLIS),
        Map.entry("hbase.lease.recovery.first.pause", 500),
        Map.entry("hbase.master.wait.on.regionservers.mintostart", 1),
        Map.entry("hbase.regionserver.msginterval", 300),
        Map.entry("hbase.regionserver.handler.count", 10),
        Map.entry("hbase.hregion.memstore.flush.size", 192 << 10),
        Map.entry("hbase.hregion.memstore.flush.size.limit", 1),
        Map.entry("hbase.hstore.compaction.min", 3),
        Map.entry("hbase.hfile.compaction.discharger.interval", 1_000),
        Map.entry(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName()),
        Map.entry("spyhop.global.grace.ms", 1_000),
        Map.entry("spyhop.reconcile.ms", 100),
        Map.entry("spyhop.sweep.ms", 1_000),
        Map.entry("spyhop.sweep.absent.ms", 5_000));
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
    started.set(server, System.currentTimeMillis());
    servers.get(server).start();
  }

  /** Stops a server as an operator does and starts it again, with a class path. */
  void restart(int server, String classPath) throws IOException {
    servers.get(server).stop();
    servers.get(server).classPath(classPath);
    start(server);
    awaitServers();
  }

  /** The same for the master. */
  void restartMaster(String classPath) throws IOException {
    master.stop();
    master.classPath(classPath);
    master.start();
    awaitServers();
  }

  /** Where clients find the cluster: ZooKeeper's port on this machine. */
  int zooKeeperPort() {
    return util.getZkCluster().getClientPort();
  }

  /** Ends a server's process from one instruction to the next. */
  void kill9(int server) {
    servers.get(server).kill9();
  }

  /** Whether a server's process runs. */
  boolean isAlive(int server) {
    return servers.get(server).isAlive();
  }

  /** Waits until a server's process has ended by itself. */
  void awaitEnd(int server) {
    servers.get(server).awaitEnd();
  }

  /** Which server has this name, now or before. */
  int indexOf(ServerName name) {
    return ports.indexOf(name.getPort());
  }

  /** How many region servers there are, running or not. */
  int size() {
    return servers.size();
  }

  /** Fails if a server has ended that nobody killed. */
  void requireAllAlive() {
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).isAlive()) {
        throw new AssertionError("region server " + i + " ended by itself, see " + logs);
      }
    }
    if (!master.isAlive()) {
      throw new AssertionError("the master ended by itself, see " + logs);
    }
  }

  /** Waits until every server, as last started, has reported to the master. */
  void awaitServers() {
    await("all servers to report")
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              requireAllAlive();
              try (Admin admin = connection.getAdmin()) {
                return admin.getRegionServers().stream().filter(this::isCurrent).count()
                    == servers.size();
              }
            });
  }

  private boolean isCurrent(ServerName name) {
    int server = ports.indexOf(name.getPort());
    return server >= 0 && name.getStartCode() >= started.get(server);
  }

  /** The name that a server has since it was last started. */
  ServerName name(int server) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().stream()
          .filter(s -> s.getPort() == ports.get(server) && isCurrent(s))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Whether the master counts a server among the living, as last started or before. */
  boolean isListed(int server) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().stream().anyMatch(s -> s.getPort() == ports.get(server));
    }
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
    return indexes.resolve(HOST + "," + ports.get(server));
  }

  /** Where HBase's own files are. */
  FileSystem files() throws IOException {
    return FileSystem.get(util.getConfiguration()); // HBase's own nests deeper with every call
  }

  private void killAll() {
    servers.stream().filter(ServerProcess::isAlive).forEach(ServerProcess::kill9);
    if (master != null && master.isAlive()) {
      master.kill9();
    }
  }

  @Override
  public void close() throws Exception {
    if (connection != null) {
      connection.close();
    }
    killAll();
    Runtime.getRuntime().removeShutdownHook(endOfJvm);
    util.shutdownMiniZKCluster();
  }
}
