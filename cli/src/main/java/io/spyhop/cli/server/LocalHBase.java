package io.spyhop.cli.server;

import io.spyhop.cli.output.StandardError;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.log4j.PropertyConfigurator;

/**
 * An embedded HBase for one command: it logs into its data directory, stops when it is closed or
 * the JVM is told to end, and takes a temporary directory away with it. Thread-safe.
 */
public final class LocalHBase implements Closeable {
  private static final String LOG_TO = "spyhop.log.to";
  private static final String LOG_FILE = "spyhop.log.file";
  private static final int INTERRUPTED = 130;

  private final DataDirectory dir;
  private final DirectoryLock lock;
  private final Thread hook = new Thread(this::jvmEnds, "spyhop-end");
  private final AtomicReference<EmbeddedHBase> running = new AtomicReference<>();
  private final EmbeddedHBase servers;

  private LocalHBase(DataDirectory dir, DirectoryLock lock, ServerPorts ports) throws IOException {
    this.dir = dir;
    this.lock = lock;
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      this.servers = EmbeddedHBase.start(dir, ports, 1);
    } catch (IOException | RuntimeException e) {
      jvmStays(); // and so does the directory: the log is in it
      lock.close();
      throw e;
    }
    running.set(servers);
  }

  /**
   * Starts HBase in a directory.
   *
   * @throws IOException if the directory is in use or HBase does not come up
   */
  public static LocalHBase start(DataDirectory dir, ServerPorts ports) throws IOException {
    DirectoryLock lock = DirectoryLock.of(dir);
    logTo(dir);
    return new LocalHBase(dir, lock, ports);
  }

  /** Loggers that were made before, while a command line was read, go along. */
  static void logTo(DataDirectory dir) {
    System.setProperty(LOG_FILE, dir.log().toString());
    System.setProperty(LOG_TO, "file");
    PropertyConfigurator.configure(LocalHBase.class.getResource("/log4j.properties"));
  }

  /** A connection of the caller's own. */
  public Connection connect() throws IOException {
    return ConnectionFactory.createConnection(servers.clientConfiguration());
  }

  /** Where clients connect, {@code host:port} of ZooKeeper. */
  public String connectString() {
    return servers.connectString();
  }

  /** The region servers, which run in this JVM. */
  public List<HRegionServer> regionServers() {
    return servers.regionServers();
  }

  /**
   * Returns when HBase has been stopped.
   *
   * @throws IOException if it ended by itself
   */
  public void awaitEnd() throws IOException {
    servers.awaitEnd();
  }

  /** Where the data is. */
  public DataDirectory directory() {
    return dir;
  }

  /** The user wants no more: data that stays must be whole, the rest only goes. */
  private void jvmEnds() {
    try {
      if (dir.isTemporary()) {
        dir.delete();
        Runtime.getRuntime().halt(INTERRUPTED);
      }
      stop();
    } catch (IOException e) {
      StandardError.stream().println("spyhop: " + e.getMessage());
    }
  }

  private void stop() throws IOException {
    EmbeddedHBase stopping = running.getAndSet(null);
    if (stopping != null) {
      stopping.close();
    }
    lock.close();
    if (dir.isTemporary()) {
      dir.delete();
    }
  }

  /** Takes the hook away, unless the JVM ends already. */
  private boolean jvmStays() {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Stops the servers; does nothing when called again. */
  @Override
  public void close() throws IOException {
    if (jvmStays()) {
      stop();
    }
  }
}
