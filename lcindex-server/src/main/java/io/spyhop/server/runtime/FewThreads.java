package io.spyhop.server.runtime;

import org.apache.hadoop.conf.Configuration;

/** Settings of a connection that a server makes for itself. Stateless. */
public final class FewThreads {
  /** HBase's own bounds are 10 and 128; a server has two such connections. */
  private static final int META_THREADS = 4;

  private FewThreads() {}

  /** A copy of a server's settings, with which a connection looks regions up in few threads. */
  public static Configuration copy(Configuration server) {
    Configuration conf = new Configuration(server);
    conf.setInt("hbase.hconnection.meta.lookup.threads.core", META_THREADS);
    conf.setInt("hbase.hconnection.meta.lookup.threads.max", META_THREADS);
    return conf;
  }
}
