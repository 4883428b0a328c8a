package io.spyhop.bench.deli;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** A cluster for one part of the benchmark. */
public interface BenchCluster extends Closeable {
  /** A connection that is closed with the cluster. */
  Connection connection();

  /**
   * How many data blocks of HFiles all region servers have read since they started, from disk or
   * from the block cache.
   */
  long dataBlocksRead() throws IOException;

  @Override
  void close() throws IOException;

  /** Starts clusters. */
  @FunctionalInterface
  interface Source {
    /**
     * @param graceMillis how old a finding has to be before the servers delete an entry for it
     */
    BenchCluster start(long graceMillis) throws IOException;
  }
}
