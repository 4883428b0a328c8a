package io.spyhop.bench.dynahash;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Placement;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A cluster that an experiment takes place on, in which nothing moves of itself.
 *
 * @param rows of each table
 */
record Scene(BenchCluster cluster, Spyhop spyhop, int rows) implements Closeable {
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(10);

  /** On a new cluster. */
  static Scene start(BenchCluster.Source clusters, int rows) throws IOException {
    BenchCluster cluster = clusters.start(Map.of());
    try {
      Placement.freeze(cluster.connection());
      return new Scene(cluster, Spyhop.connect(cluster.connection()), rows);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  Connection connection() {
    return cluster.connection();
  }

  /** All region servers, in the same order each time. */
  NavigableSet<ServerName> servers() throws IOException {
    try (Admin admin = connection().getAdmin()) {
      return new TreeSet<>(admin.getRegionServers());
    }
  }

  /** All region servers but one. */
  NavigableSet<ServerName> serversButOne() throws IOException {
    NavigableSet<ServerName> staying = servers();
    staying.pollLast();
    return staying;
  }

  void awaitIndex(TableName table) throws IOException {
    spyhop.admin().waitUntilActive(table, INDEX_LIMIT);
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      spyhop.close();
    }
  }
}
