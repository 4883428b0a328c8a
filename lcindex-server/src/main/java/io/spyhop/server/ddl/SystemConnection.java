package io.spyhop.server.ddl;

import io.spyhop.server.runtime.FewThreads;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.UserProvider;

/**
 * A connection as the server's own user, made when it is first needed. Index tables are that user's
 * alone; the connection that a coprocessor is offered would act as the user that the server is
 * serving. Thread-safe.
 */
public final class SystemConnection implements Closeable {
  /** Calls are made while a client waits for the master's answer. */
  private static final int OPERATION_MILLIS = 30_000;

  /** What a call begins, HBase ends by itself some time; nobody waits for ever. */
  private static final int PROCEDURE_MILLIS = 60_000;

  private final Configuration conf;
  private final User user;
  private Connection connection;
  private boolean closed;

  /** To be made in a thread that acts as the server's own user. */
  public SystemConnection(Configuration conf) throws IOException {
    this.conf = FewThreads.copy(conf);
    this.conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
    this.conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, OPERATION_MILLIS);
    this.conf.setInt("hbase.client.sync.wait.timeout.msec", PROCEDURE_MILLIS);
    this.user = UserProvider.instantiate(conf).getCurrent();
  }

  /**
   * The connection.
   *
   * @throws IOException if this was closed
   */
  public synchronized Connection get() throws IOException {
    if (closed) {
      throw new IOException("this master stops");
    }
    if (connection == null) {
      connection = ConnectionFactory.createConnection(conf, user);
    }
    return connection;
  }

  /** Whether it has been closed: whatever failed may have failed for that. */
  synchronized boolean isClosed() {
    return closed || (connection != null && connection.isClosed());
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
