package io.spyhop.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Asks the masters of HBase and HDFS about their servers, without patience. Thread-safe. */
final class Masters implements Closeable {
  private final Configuration conf;
  private Connection connection;

  /** Takes the configuration of the cluster's clients; nobody is asked yet. */
  Masters(Configuration client) {
    conf = new Configuration(client);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 5_000);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 10_000);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 10_000);
    conf.setInt("zookeeper.recovery.retry", 1);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
  }

  /** The region servers that the master counts among the living. */
  Collection<ServerName> regionServers() throws IOException {
    return ask(Admin::getRegionServers);
  }

  /**
   * The active master.
   *
   * @throws IOException if there is none, or if it does not work yet
   */
  ServerName master() throws IOException {
    return ask(
        admin -> {
          admin.listNamespaces(); // refused until the master is initialized
          return admin.getMaster();
        });
  }

  /**
   * Asks a region server itself, which reports to the master a moment before it serves.
   *
   * @throws IOException if it does not serve
   */
  void requireServing(ServerName server) throws IOException {
    ask(admin -> admin.getRegions(server));
  }

  /** Asks the master to end all servers of HBase, itself too. */
  void shutDown() throws IOException {
    ask(
        admin -> {
          admin.shutdown();
          return List.of();
        });
  }

  @FunctionalInterface
  private interface Question<T> {
    T put(Admin admin) throws IOException;
  }

  private synchronized <T> T ask(Question<T> question) throws IOException {
    if (connection == null || connection.isClosed()) {
      connection = ConnectionFactory.createConnection(conf);
    }
    try (Admin admin = connection.getAdmin()) {
      return question.put(admin);
    } catch (IOException | RuntimeException e) {
      close(); // what it remembers may be what is wrong
      throw e;
    }
  }

  /** How many data nodes serve; 0 while nothing can be written at all. */
  int dataNodes() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      DistributedFileSystem hdfs = (DistributedFileSystem) fs;
      hdfs.getFileStatus(new Path("/"));
      return hdfs.isInSafeMode() ? 0 : hdfs.getDataNodeStats(DatanodeReportType.LIVE).length;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
