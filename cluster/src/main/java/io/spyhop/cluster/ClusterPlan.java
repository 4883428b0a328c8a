package io.spyhop.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The servers of a cluster that is to be, each with its port. Immutable. */
final class ClusterPlan {
  private final ClusterSpec spec;
  private final List<ServerPlan> servers;
  private final Map<ServerRole, Integer> ports;

  private ClusterPlan(ClusterSpec spec, List<ServerPlan> servers, Map<ServerRole, Integer> ports) {
    this.spec = spec;
    this.servers = servers;
    this.ports = ports;
  }

  /**
   * Chooses what the specification leaves open.
   *
   * @throws ClusterException if a port that it names is in use
   */
  static ClusterPlan of(ClusterSpec spec) throws IOException {
    Set<Integer> taken = new HashSet<>();
    List<ServerPlan> servers = new ArrayList<>();
    Map<ServerRole, Integer> ports = new EnumMap<>(ServerRole.class);
    for (ServerRole role : ServerRole.values()) {
      for (int number = 0; number < spec.count(role); number++) {
        int port = port(spec, role, taken);
        taken.add(port);
        ports.putIfAbsent(role, port);
        servers.add(plan(spec, role, number, port, taken));
      }
    }
    spec.zooKeeperPort().ifPresent(port -> ports.put(ServerRole.ZOOKEEPER, port));
    return new ClusterPlan(spec, servers, ports);
  }

  private static int port(ClusterSpec spec, ServerRole role, Set<Integer> taken)
      throws IOException {
    if (spec.port(role).isEmpty()) {
      return Loopback.freePort(taken);
    }
    int port = spec.port(role).get();
    if (taken.contains(port) || !Loopback.isFree(port)) {
      throw new ClusterException("port " + port + " for the " + role.nameOf(0) + " is in use");
    }
    return port;
  }

  private static ServerPlan plan(
      ClusterSpec spec, ServerRole role, int number, int port, Set<Integer> taken)
      throws IOException {
    int jmxPort = spec.isJmx(role) ? Loopback.freePort(taken) : 0;
    taken.add(jmxPort);
    return new ServerPlan(
        role,
        number,
        port,
        jmxPort,
        spec.heap(role),
        spec.classPath(),
        spec.jvmOptions(role),
        Map.of());
  }

  /**
   * Whether the servers can be in a directory: a data node takes the URI of its own for a format.
   *
   * @throws ClusterException if they cannot
   */
  void requireFit(Path dir) throws ClusterException {
    if (spec.count(ServerRole.DATA_NODE) > 0 && dir.toUri().toString().contains("%")) {
      throw new ClusterException(
          "HDFS cannot keep data in '"
              + dir
              + "', as its URI is "
              + dir.toUri()
              + ": use a directory without spaces and other signs that are written with %");
    }
  }

  /** Writes the plan, and what all servers read. */
  void write(ClusterDirectory dir) throws IOException {
    ConfigurationFiles.write(dir, spec, ports);
    for (ServerPlan server : servers) {
      local(dir, server).write(dir.plan(server.name()));
    }
  }

  /** With the settings that say where the server is. */
  private static ServerPlan local(ClusterDirectory dir, ServerPlan plan) {
    Map<String, String> settings = new HashMap<>(plan.settings());
    String port = String.valueOf(plan.port());
    if (plan.role() == ServerRole.DATA_NODE) {
      settings.put(plan.role().portSetting(), Loopback.HOST + ":" + port);
      settings.put("dfs.datanode.data.dir", dir.data(plan.name()).toUri().toString());
    } else if (plan.role().isHBase()) {
      settings.put(plan.role().portSetting(), port);
    }
    return plan.with(plan.number(), plan.port(), plan.jmxPort(), settings);
  }

  /**
   * One more region server, with the first number that is free.
   *
   * @param settings that it alone has
   */
  static ServerPlan oneMore(ClusterDirectory dir, Map<String, String> settings) throws IOException {
    List<ServerPlan> plans = dir.plans();
    Set<Integer> taken = new HashSet<>();
    Set<Integer> numbers = new HashSet<>();
    ServerPlan model = null;
    for (ServerPlan plan : plans) {
      taken.add(plan.port());
      taken.add(plan.jmxPort());
      if (plan.role() == ServerRole.REGION_SERVER) {
        numbers.add(plan.number());
        model = model == null ? plan : model;
      }
    }
    if (model == null) {
      throw new ClusterException("no region server in '" + dir + "' to make another one like it");
    }
    int number = 0;
    while (numbers.contains(number)) {
      number++;
    }
    int port = Loopback.freePort(taken);
    taken.add(port);
    int jmxPort = model.jmxPort() > 0 ? Loopback.freePort(taken) : 0;
    return local(dir, model.with(number, port, jmxPort, settings));
  }
}
