package io.spyhop.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.GenericOptionsParser;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/**
 * A server in a JVM of its own. Arguments: its {@link ServerRole}, whether it ends with the process
 * that started it, and what the server takes.
 */
final class ServerMain {
  private static final int FAILED = 1;
  private static final int ORPHANED = 3;

  private ServerMain() {}

  /** Runs the server until it is stopped. */
  public static void main(String[] args) {
    if (Boolean.parseBoolean(args[1])) {
      endWithParent();
    }
    try {
      run(ServerRole.valueOf(args[0]), Arrays.copyOfRange(args, 2, args.length));
    } catch (Throwable e) { // other threads would keep the JVM alive
      e.printStackTrace();
      System.exit(FAILED);
    }
  }

  private static void run(ServerRole role, String[] args) throws Exception {
    switch (role) {
      case NAME_NODE -> nameNode(args);
      case DATA_NODE -> DataNode.main(args);
      case ZOOKEEPER -> ZooKeeperServerMain.main(args);
      case MASTER -> HMaster.main(withStart(args));
      case REGION_SERVER -> HRegionServer.main(withStart(args));
    }
  }

  private static String[] withStart(String[] args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.add("start");
    return all.toArray(new String[0]);
  }

  private static void nameNode(String[] args) throws Exception {
    Configuration conf = new GenericOptionsParser(new HdfsConfiguration(), args).getConfiguration();
    File names = new File(URI.create(conf.get("dfs.namenode.name.dir")));
    if (!new File(names, "current/VERSION").exists()) {
      // A JVM that formats and then serves has some metrics twice.
      DefaultMetricsSystem.setMiniClusterMode(true);
      NameNode.format(conf);
    }
    NameNode.createNameNode(new String[0], conf).join();
  }

  /** When the parent ends, however it does, this process's standard input ends. */
  private static void endWithParent() {
    Thread watch = new Thread(ServerMain::awaitOrphaned, "spyhop-parent");
    watch.setDaemon(true);
    watch.start();
  }

  private static void awaitOrphaned() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever written.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(ORPHANED);
    }
  }
}
