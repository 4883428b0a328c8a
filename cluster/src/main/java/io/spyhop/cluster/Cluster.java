package io.spyhop.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster in a directory, started by this process or by another. All it knows is in the
 * directory, so several may be at work; the last word is the directory's. Thread-safe.
 */
public final class Cluster implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
  private static final Duration UP_LIMIT = Duration.ofMinutes(3);
  private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final ClusterDirectory dir;
  private final ClusterSpec.Life life;
  private final Configuration conf;
  private final Masters masters;
  private final Thread endOfJvm = new Thread(this::jvmEnds, "spyhop-cluster-end");

  private Cluster(ClusterDirectory dir, ClusterSpec.Life life) {
    this.dir = dir;
    this.life = life;
    conf = HBaseConfiguration.create();
    for (String site : new String[] {"core-site.xml", ConfigurationFiles.HBASE}) {
      conf.addResource(new org.apache.hadoop.fs.Path(dir.conf().resolve(site).toUri()));
    }
    masters = new Masters(conf);
  }

  /**
   * Starts a cluster in a directory that is empty or absent, and returns when all its servers are
   * up. If one does not come up, none is left running; the directory stays, for its logs.
   *
   * @throws ClusterException if the directory is not empty, has a cluster already or cannot be
   *     made, or if a port is in use: nothing is changed then
   * @throws IOException if a server does not come up
   */
  public static Cluster start(Path dir, ClusterSpec spec) throws IOException {
    ClusterPlan plan = ClusterPlan.of(spec);
    plan.requireFit(dir.toAbsolutePath());
    ClusterDirectory made = ClusterDirectory.create(dir);
    plan.write(made);
    Cluster cluster = new Cluster(made, spec.life());
    if (spec.life() != ClusterSpec.Life.STAYS) {
      Runtime.getRuntime().addShutdownHook(cluster.endOfJvm);
    }
    try {
      cluster.startAll();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.giveUp();
      throw e;
    }
  }

  /**
   * Finds the cluster of a directory, whichever process started it, and whether it runs or not. It
   * stays when this object is closed.
   *
   * @throws ClusterException if there is none
   */
  public static Cluster attach(Path dir) throws IOException {
    return new Cluster(ClusterDirectory.open(dir), ClusterSpec.Life.STAYS);
  }

  /** Whether there is a cluster in a directory, running or not. */
  public static boolean isIn(Path dir) {
    return ClusterDirectory.isOne(dir);
  }

  private void giveUp() throws IOException {
    jvmStays();
    killAll();
    masters.close();
  }

  /** Where everything is. */
  public Path directory() {
    return dir.root();
  }

  /** All servers, in the order in which they are started. */
  public List<Server> servers() throws IOException {
    return dir.plans().stream().map(this::server).toList();
  }

  /** The servers of a role, in the order of their numbers. */
  public List<Server> servers(ServerRole role) throws IOException {
    return servers().stream().filter(s -> s.role() == role).toList();
  }

  /**
   * A server by its name, such as {@code master} or {@code regionserver-2}.
   *
   * @throws ClusterException if there is none
   */
  public Server server(String name) throws IOException {
    List<Server> all = servers();
    return all.stream()
        .filter(s -> s.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new ClusterException("no server " + name + " among " + all));
  }

  /**
   * A region server by its number.
   *
   * @throws ClusterException if there is none
   */
  public Server regionServer(int number) throws IOException {
    return server(ServerRole.REGION_SERVER.nameOf(number));
  }

  private Server server(ServerPlan plan) {
    return new Server(dir, plan, life != ClusterSpec.Life.STAYS);
  }

  /** What clients need to find the cluster; the caller's own copy. */
  public Configuration clientConfiguration() {
    return new Configuration(conf);
  }

  /** Where clients connect, {@code host:port} of ZooKeeper. */
  public String connectString() {
    return conf.get(HConstants.ZOOKEEPER_QUORUM) + ":" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
  }

  /** A connection of the caller's own. */
  public Connection connect() throws IOException {
    return ConnectionFactory.createConnection(clientConfiguration());
  }

  /**
   * Starts one more region server, as the first ones were; returns at once.
   *
   * @param settings that it alone has
   */
  public Server addRegionServer(Map<String, String> settings) throws IOException {
    try (ClusterDirectory.Lock lock = dir.lock()) {
      ServerPlan plan = ClusterPlan.oneMore(dir, settings);
      plan.write(dir.plan(plan.name()));
      Server added = server(plan);
      added.beginAsBefore();
      return added;
    }
  }

  /**
   * Takes a server out of the cluster that does not run and is not to run again.
   *
   * @throws ClusterException if it runs
   */
  public void forget(Server server) throws IOException {
    try (ClusterDirectory.Lock lock = dir.lock()) {
      if (server.isRunning()) {
        throw new ClusterException(server + " still runs");
      }
      dir.forget(server.name());
    }
  }

  /** Starts all servers that do not run, and returns when they are up. */
  public void startAll() throws IOException {
    start(List.of(ServerRole.NAME_NODE, ServerRole.DATA_NODE, ServerRole.ZOOKEEPER));
    start(List.of(ServerRole.MASTER, ServerRole.REGION_SERVER));
  }

  private void start(List<ServerRole> roles) throws IOException {
    List<Server> begun = new ArrayList<>();
    try (ClusterDirectory.Lock lock = dir.lock()) {
      for (Server server : servers()) {
        if (roles.contains(server.role()) && !server.isRunning()) {
          server.beginAsBefore();
          begun.add(server);
        }
      }
    }
    awaitUp(begun);
  }

  /**
   * Stops a server if it runs, starts it again at its port, and returns when it is up.
   *
   * @throws IOException if it ends again or is not up within three minutes
   */
  public void restart(Server server) throws IOException {
    server.stop();
    server.start();
    awaitUp(List.of(server));
  }

  /**
   * Returns when servers, as last started, do what they are there for: HBase's servers are known to
   * the master, data nodes to the name node, and ZooKeeper answers.
   *
   * @throws IOException if one has no process, or if it takes more than three minutes
   */
  public void awaitUp(Collection<Server> servers) throws IOException {
    Poll.until(
        servers + " to be up (logs: " + dir.logs() + ")",
        UP_LIMIT,
        () -> {
          requireRunning(servers);
          return isUp(servers);
        });
  }

  private boolean isUp(Collection<Server> servers) throws IOException {
    try {
      for (Server server : servers) {
        if (!isUp(server)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      LOG.debug("not up yet", e);
      return false;
    }
  }

  private boolean isUp(Server server) throws IOException {
    return switch (server.role()) {
      case NAME_NODE, DATA_NODE -> masters.dataNodes() >= runningDataNodes();
      case ZOOKEEPER -> Loopback.isListening(server.port());
      case MASTER -> server.is(masters.master());
      case REGION_SERVER -> isServing(server);
    };
  }

  private int runningDataNodes() throws IOException {
    int running = 0;
    for (Server server : servers(ServerRole.DATA_NODE)) {
      running += server.isRunning() ? 1 : 0;
    }
    return Math.max(running, 1);
  }

  private boolean isServing(Server server) throws IOException {
    for (var name : masters.regionServers()) {
      if (server.is(name)) {
        masters.requireServing(name);
        return true;
      }
    }
    return false;
  }

  /** Whether the master counts a region server, as last started, among the living. */
  public boolean isReported(Server server) throws IOException {
    for (var name : masters.regionServers()) {
      if (server.is(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Looks after servers.
   *
   * @throws IOException if one has no process; the message names it and its log
   */
  public void requireRunning(Collection<Server> servers) throws IOException {
    for (Server server : servers) {
      if (!server.isRunning()) {
        throw new IOException(server + " has ended (log: " + server.log() + ")");
      }
    }
  }

  /**
   * Stops all servers, HBase's by its master so that nothing has to be recovered, and returns when
   * all processes are gone; what does not stop in time is killed. Does nothing if none runs.
   */
  public void stop() throws IOException {
    try (ClusterDirectory.Lock lock = dir.lock()) {
      List<Server> hbase = servers().stream().filter(s -> s.role().isHBase()).toList();
      shutDown(hbase);
      stop(hbase);
      stop(servers(ServerRole.ZOOKEEPER));
      stop(servers(ServerRole.DATA_NODE));
      stop(servers(ServerRole.NAME_NODE));
      killAll();
    }
  }

  private void shutDown(List<Server> hbase) throws IOException {
    boolean hasMaster = false;
    for (Server server : hbase) {
      hasMaster |= server.role() == ServerRole.MASTER && server.isRunning();
    }
    if (!hasMaster) {
      return;
    }
    try {
      masters.shutDown();
    } catch (IOException e) {
      LOG.warn("the master in '{}' does not stop HBase, its servers are stopped", dir, e);
      return;
    }
    if (!Poll.isMetWithin(SHUTDOWN_LIMIT, () -> noneRuns(hbase))) {
      LOG.warn("HBase in '{}' takes long to stop", dir);
    }
  }

  private static boolean noneRuns(List<Server> servers) throws IOException {
    for (Server server : servers) {
      if (server.isRunning()) {
        return false;
      }
    }
    return true;
  }

  private static void stop(List<Server> servers) throws IOException {
    for (Server server : servers) {
      server.stop(STOP_LIMIT);
    }
  }

  /** Ends all processes of the directory at once, those too that no server knows of. */
  public void killAll() throws IOException {
    dir.processes().forEach(ProcessHandle::destroyForcibly);
    Poll.until("all servers to end", STOP_LIMIT, () -> dir.processes().isEmpty());
  }

  private void jvmEnds() {
    try {
      end();
    } catch (IOException e) {
      LOG.warn("the cluster in '{}' could not be ended", dir, e);
    }
  }

  private void end() throws IOException {
    killAll();
    if (life == ClusterSpec.Life.THROWAWAY) {
      dir.delete();
    }
  }

  /** Takes the hook away, unless the JVM ends already or it was taken away before. */
  private boolean jvmStays() {
    try {
      return Runtime.getRuntime().removeShutdownHook(endOfJvm);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /**
   * Ends a cluster that was not to survive this JVM, at once and without care for its data; one
   * that stays goes on. Does nothing when called again.
   */
  @Override
  public void close() throws IOException {
    masters.close();
    if (jvmStays()) {
      end();
    }
  }
}
