package io.spyhop.cli.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * An HBase for one measurement: ZooKeeper and the master run in this JVM, each region server in a
 * JVM of its own, all data in one directory of the local file system. The region servers are killed
 * when this is closed, and end by themselves if this JVM ends in any other way. Thread-safe.
 */
public final class ProcessHBase implements Closeable {
  private static final int STORE_FILE_DEPTH = 3;

  private final DataDirectory dir;
  private final DirectoryLock lock;
  private final Processes servers;
  private final EmbeddedHBase master;
  private final Thread hook = new Thread(this::jvmEnds, "spyhop-end");
  private boolean closed;

  private ProcessHBase(
      DataDirectory dir, DirectoryLock lock, Processes servers, EmbeddedHBase master) {
    this.dir = dir;
    this.lock = lock;
    this.servers = servers;
    this.master = master;
  }

  /**
   * Starts everything and returns when all region servers have reported.
   *
   * @param regionServers how many
   * @param heap of each region server, as in {@code -Xmx}
   * @param settings of all servers, beyond what an embedded HBase has
   * @throws IOException if something does not come up; nothing is left running then
   */
  public static ProcessHBase start(
      DataDirectory dir, int regionServers, String heap, Map<String, String> settings)
      throws IOException {
    LocalHBase.logTo(dir);
    DirectoryLock lock = DirectoryLock.of(dir);
    Processes servers = new Processes(dir, regionServers, heap);
    try {
      Configuration conf = ServerConfiguration.ofProcesses(dir, regionServers, settings);
      EmbeddedHBase master = EmbeddedHBase.start(dir, ServerPorts.FREE, conf, 0, servers);
      ProcessHBase hbase = new ProcessHBase(dir, lock, servers, master);
      Runtime.getRuntime().addShutdownHook(hbase.hook);
      return hbase;
    } catch (IOException | RuntimeException e) {
      servers.killAll();
      lock.close();
      throw e;
    }
  }

  /** A connection of the caller's own. */
  public Connection connect() throws IOException {
    return ConnectionFactory.createConnection(master.clientConfiguration());
  }

  /** Where the region servers' JMX beans are, ports of this machine. */
  public List<Integer> jmxPorts() {
    return servers.jmxPorts();
  }

  /**
   * Bytes in a table's HFiles, as the file system has them.
   *
   * @throws IOException if the table has no directory
   */
  public long storeFileBytes(TableName table) throws IOException {
    Path data = dir.root().resolve("hbase").resolve("data");
    Path files = data.resolve(table.getNamespaceAsString()).resolve(table.getQualifierAsString());
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(f -> isStoreFile(files.relativize(f)))
          .mapToLong(f -> f.toFile().length())
          .sum();
    }
  }

  /** Region, family and file; what begins with a dot is something else. */
  private static boolean isStoreFile(Path file) {
    return file.getNameCount() == STORE_FILE_DEPTH
        && StreamSupport.stream(file.spliterator(), false)
            .noneMatch(part -> part.toString().startsWith("."));
  }

  /** Where the data and the logs are. */
  public DataDirectory directory() {
    return dir;
  }

  /**
   * Looks after the region servers.
   *
   * @throws IOException if one has ended
   */
  public void requireAlive() throws IOException {
    servers.requireAlive();
  }

  /** The user wants no more: the region servers end with this JVM, the data only goes. */
  private void jvmEnds() {
    try {
      servers.killAll();
      if (dir.isTemporary()) {
        dir.delete();
      }
    } catch (IOException e) {
      System.err.println("spyhop: " + e.getMessage());
    }
  }

  /** Kills the region servers, stops the rest; a temporary directory goes. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Runtime.getRuntime().removeShutdownHook(hook);
    try {
      servers.killAll();
    } finally {
      master.abandon();
      lock.close();
    }
    if (dir.isTemporary()) {
      dir.delete();
    }
  }

  /** The region servers' processes. */
  private static final class Processes implements RegionServers {
    private final DataDirectory dir;
    private final int count;
    private final String heap;
    private final List<RegionServerProcess> running = new ArrayList<>();

    Processes(DataDirectory dir, int count, String heap) {
      this.dir = dir;
      this.count = count;
      this.heap = heap;
    }

    @Override
    public synchronized void start(Configuration conf) throws IOException {
      Path configuration = Files.createDirectories(dir.root().resolve("conf"));
      try (OutputStream out = Files.newOutputStream(configuration.resolve("hbase-site.xml"))) {
        conf.writeXml(out);
      }
      // JMX shows numbers that are a fraction of a second old, instead of ten seconds.
      Files.writeString(
          configuration.resolve("hadoop-metrics2-hbase.properties"),
          RegionServerMetrics.METRICS_PROPERTIES);
      for (int i = 0; i < count; i++) {
        Path log = dir.root().resolve("regionserver-" + i + ".log");
        running.add(RegionServerProcess.start(configuration, heap, log));
      }
    }

    @Override
    public synchronized void requireAlive() throws IOException {
      for (RegionServerProcess server : running) {
        server.requireAlive();
      }
    }

    synchronized List<Integer> jmxPorts() {
      return running.stream().map(RegionServerProcess::jmxPort).toList();
    }

    synchronized void killAll() throws IOException {
      for (RegionServerProcess server : running) {
        server.kill();
      }
      running.clear();
    }
  }
}
