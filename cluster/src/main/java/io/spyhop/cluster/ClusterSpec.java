package io.spyhop.cluster;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The servers and settings of a cluster to be made. Immutable. */
public final class ClusterSpec {
  private static final int MAX_PORT = 65_535;

  /** The time at which a cluster ends by itself. */
  public enum Life {
    /** Never: it survives the process that started it. */
    STAYS,
    /** With the JVM that started it, or when that closes it, whichever is first. */
    ENDS_WITH_JVM,
    /** The same, and its directory goes with it. */
    THROWAWAY
  }

  private final Builder values;

  private ClusterSpec(Builder values) {
    this.values = values;
  }

  /** One master, one region server, a ZooKeeper, data in the local file system. */
  public static Builder builder() {
    return new Builder();
  }

  int count(ServerRole role) {
    return switch (role) {
      case NAME_NODE -> values.dataNodes > 0 ? 1 : 0;
      case DATA_NODE -> values.dataNodes;
      case ZOOKEEPER -> values.zooKeeperPort.isPresent() ? 0 : 1;
      case MASTER -> 1;
      case REGION_SERVER -> values.regionServers;
    };
  }

  /** A file system that runs elsewhere. */
  Optional<URI> fileSystem() {
    return values.fileSystem;
  }

  /** The port of a ZooKeeper that runs elsewhere in this machine. */
  Optional<Integer> zooKeeperPort() {
    return values.zooKeeperPort;
  }

  /** The port that is asked for, for a server that is the only one of its role. */
  Optional<Integer> port(ServerRole role) {
    return Optional.ofNullable(values.ports.get(role));
  }

  boolean isJmx(ServerRole role) {
    return values.jmx && (role == ServerRole.REGION_SERVER || role == ServerRole.NAME_NODE);
  }

  String heap(ServerRole role) {
    return values.heaps.getOrDefault(role, role.heap());
  }

  String classPath() {
    return values.classPath;
  }

  List<String> jvmOptions(ServerRole role) {
    List<String> all = new ArrayList<>(values.allOptions);
    all.addAll(values.options.getOrDefault(role, List.of()));
    return all;
  }

  Map<String, String> settings() {
    return values.settings;
  }

  Map<String, String> files() {
    return values.files;
  }

  Life life() {
    return values.life;
  }

  /** Class paths as they are outside of this JVM's working directory. */
  static String absolute(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Collects what is wanted. Not thread-safe; of no use after {@link #build()}. */
  public static final class Builder {
    private final Map<ServerRole, String> heaps = new EnumMap<>(ServerRole.class);
    private final Map<ServerRole, Integer> ports = new EnumMap<>(ServerRole.class);
    private final Map<ServerRole, List<String>> options = new EnumMap<>(ServerRole.class);
    private final List<String> allOptions = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<String, String> files = new TreeMap<>();
    private Optional<URI> fileSystem = Optional.empty();
    private Optional<Integer> zooKeeperPort = Optional.empty();
    private String classPath = System.getProperty("java.class.path");
    private int dataNodes;
    private int regionServers = 1;
    private boolean jmx;
    private Life life = Life.STAYS;

    private Builder() {}

    /** Data in HDFS, with so many data nodes; 0 is none, and the data is in local files. */
    public Builder dataNodes(int count) {
      dataNodes = count;
      return this;
    }

    /** Data in a file system that runs elsewhere. */
    public Builder fileSystem(URI uri) {
      fileSystem = Optional.of(uri);
      return this;
    }

    /** A ZooKeeper that runs elsewhere on this machine, instead of one of the cluster's own. */
    public Builder zooKeeper(int port) {
      zooKeeperPort = Optional.of(port);
      return this;
    }

    /** How many region servers there are at first; 1 or more. */
    public Builder regionServers(int count) {
      regionServers = count;
      return this;
    }

    /** The port of a server that is the only one of its role; without it, any that is free. */
    public Builder port(ServerRole role, int port) {
      ports.put(role, port);
      return this;
    }

    /** The largest heap of servers, as of {@code -Xmx}. */
    public Builder heap(ServerRole role, String heap) {
      heaps.put(role, heap);
      return this;
    }

    /** What servers run with, beyond what this module needs; without it, what this JVM does. */
    public Builder classPath(String entries) {
      classPath = entries;
      return this;
    }

    /** An option of all servers' JVMs. */
    public Builder jvmOption(String option) {
      allOptions.add(option);
      return this;
    }

    /** An option of some servers' JVMs. */
    public Builder jvmOption(ServerRole role, String option) {
      options.computeIfAbsent(role, r -> new ArrayList<>()).add(option);
      return this;
    }

    /** The least that servers log, such as {@code WARN}; {@code INFO} if nothing is said. */
    public Builder logLevel(String level) {
      return jvmOption("-Dspyhop.log.level=" + level);
    }

    /** A setting of all servers, beyond or in place of those that a cluster has. */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Settings of all servers, beyond or in place of those that a cluster has. */
    public Builder settings(Map<String, String> all) {
      settings.putAll(all);
      return this;
    }

    /** A file for the directory of configurations, beyond or in place of those that it has. */
    public Builder file(String name, String text) {
      files.put(name, text);
      return this;
    }

    /** Whether region servers and the NameNode show their JMX beans to programs of this machine. */
    public Builder jmx(boolean shown) {
      jmx = shown;
      return this;
    }

    /** When the cluster ends; {@link Life#STAYS} if nothing is said. */
    public Builder life(Life wanted) {
      life = wanted;
      return this;
    }

    /**
     * What has been collected.
     *
     * @throws IllegalArgumentException if it cannot be
     */
    public ClusterSpec build() {
      require(regionServers > 0, regionServers + " region servers are less than 1");
      require(dataNodes >= 0, dataNodes + " data nodes are less than 0");
      require(dataNodes == 0 || fileSystem.isEmpty(), "data nodes and a file system elsewhere");
      ports.forEach(Builder::checkPort);
      zooKeeperPort.ifPresent(port -> checkPort(ServerRole.ZOOKEEPER, port));
      classPath = absolute(classPath);
      return new ClusterSpec(this);
    }

    private static void checkPort(ServerRole role, int port) {
      require(!role.isNumbered(), "there may be several servers " + role + " for port " + port);
      require(
          port > 0 && port <= MAX_PORT,
          role.nameOf(0) + " port " + port + " is not in 1.." + MAX_PORT);
    }

    private static void require(boolean right, String message) {
      if (!right) {
        throw new IllegalArgumentException(message);
      }
    }
  }
}
