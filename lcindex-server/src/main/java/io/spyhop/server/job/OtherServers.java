package io.spyhop.server.job;

import io.spyhop.core.region.ServerCalls;
import io.spyhop.server.remote.FileFetcher;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other live region servers, asked as the system user over a connection with short timeouts:
 * what does not answer soon is not worth waiting for. Thread-safe.
 */
final class OtherServers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherServers.class);
  private static final long FIRST_PAUSE = 100;
  private static final int CALL_MILLIS = 10_000;
  private static final int OPERATION_MILLIS = 20_000;

  private final RegionServerServices self;
  private Connection connection;
  private boolean closed;

  OtherServers(RegionServerServices self) {
    this.self = self;
  }

  private synchronized Connection connection() throws IOException {
    if (closed) {
      throw new InterruptedIOException("the server stops");
    }
    if (connection == null) {
      Configuration conf = new Configuration(self.getConfiguration());
      conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, CALL_MILLIS);
      conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
      conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 2);
      connection = ConnectionFactory.createConnection(conf);
    }
    return connection;
  }

  /** All of them, in no particular order. */
  List<FileFetcher.Server> list() throws IOException {
    List<FileFetcher.Server> servers = new ArrayList<>();
    try (Admin admin = connection().getAdmin()) {
      for (ServerName s : admin.getRegionServers()) {
        if (!s.equals(self.getServerName())) {
          servers.add(new Remote(s));
        }
      }
    }
    return servers;
  }

  private final class Remote implements FileFetcher.Server {
    private final ServerName name;

    Remote(ServerName name) {
      this.name = name;
    }

    @Override
    public byte[] ask(String question, byte[] payload) throws IOException {
      try (Admin admin = connection().getAdmin()) {
        return ServerCalls.ask(admin.coprocessorService(name), question, payload);
      }
    }

    @Override
    public String toString() {
      return name.toString();
    }
  }

  /** Waits twice as long after each try. */
  static void pause(int tries) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(FIRST_PAUSE << tries);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server stops");
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        LOG.warn("Closing the connection to other servers failed", e);
      }
    }
  }
}
