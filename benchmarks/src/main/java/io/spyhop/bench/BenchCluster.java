package io.spyhop.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** A cluster for one part of a benchmark. */
public interface BenchCluster extends Closeable {
  /** A connection that is closed with the cluster. */
  Connection connection();

  /**
   * How many data blocks of HFiles all region servers have read since they started, from disk or
   * from the block cache.
   */
  long dataBlocksRead() throws IOException;

  /** How many calls all region servers have answered since they started, those of others too. */
  long callsAnswered() throws IOException;

  /** How many bytes a table's HFiles have. */
  long storeFileBytes(TableName table) throws IOException;

  /** What the region servers have used and hold. */
  ServerUse use() throws IOException;

  /** Stops all region servers and starts them again; they are up then, but not all regions open. */
  void restartServers() throws IOException;

  /** Starts one more region server, and returns when it serves. */
  ServerName addServer() throws IOException;

  @Override
  void close() throws IOException;

  /** Starts clusters. */
  @FunctionalInterface
  interface Source {
    /**
     * @param settings of all servers, beyond those that every benchmark's cluster has
     */
    BenchCluster start(Map<String, String> settings) throws IOException;
  }
}
