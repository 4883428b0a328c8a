package io.spyhop.bench.dynahash;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;

/** A cluster that can get one more region server. */
public interface ElasticCluster extends Closeable {
  /** A connection that is closed with the cluster. */
  Connection connection();

  /** Starts one more region server, and returns when it serves. */
  ServerName addServer() throws IOException;

  @Override
  void close() throws IOException;

  /** Starts clusters of {@link DynahashBench#SERVERS} region servers on HDFS. */
  @FunctionalInterface
  interface Source {
    /** A new cluster without any table. */
    ElasticCluster start() throws IOException;
  }
}
