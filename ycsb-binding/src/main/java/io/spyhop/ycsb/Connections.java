package io.spyhop.ycsb;

import io.spyhop.client.Spyhop;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The one connection of a YCSB process, which makes a database object for each of its threads and
 * has no place where they could share anything. Closed when the last of them gives it back.
 */
final class Connections {
  private static Connections shared;

  private final Connection connection;
  private final Spyhop spyhop;
  private int users;

  private Connections(Settings settings) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    settings.ofHBase().forEach(conf::set);
    connection = ConnectionFactory.createConnection(conf);
    spyhop = Spyhop.connect(connection);
  }

  /** The connection; the first who asks says how. */
  static synchronized Connections get(Settings settings) throws IOException {
    if (shared == null) {
      shared = new Connections(settings);
    }
    shared.users++;
    return shared;
  }

  Connection connection() {
    return connection;
  }

  Spyhop spyhop() {
    return spyhop;
  }

  /** Gives back what one {@link #get} gave. */
  void release() throws IOException {
    synchronized (Connections.class) {
      users--;
      if (users > 0) {
        return;
      }
      shared = null;
    }
    try (connection) {
      spyhop.close();
    }
  }
}
