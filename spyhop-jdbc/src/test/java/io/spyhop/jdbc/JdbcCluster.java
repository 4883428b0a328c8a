package io.spyhop.jdbc;

import io.spyhop.client.Spyhop;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;

/** One mini cluster for all tests of the JVM; it goes with the JVM. */
final class JdbcCluster {
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static Spyhop spyhop;

  private JdbcCluster() {}

  static synchronized HBaseTestingUtility start() throws Exception {
    if (spyhop == null) {
      Configuration conf = UTIL.getConfiguration();
      conf.set("hbase.coprocessor.regionserver.classes", SpyhopRegionServer.class.getName());
      conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName());
      conf.set(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName());
      String user = System.getProperty("user.name");
      conf.set("hbase.superuser", user + "," + user + ".hfs.0"); // the user of the server
      Path files = Files.createTempDirectory(Path.of("target"), "spyhop");
      conf.set("spyhop.ifile.dir", files.toUri().toString());
      UTIL.startMiniCluster(1);
      spyhop = Spyhop.connect(UTIL.getConnection());
    }
    return UTIL;
  }

  static Spyhop spyhop() {
    return spyhop;
  }

  static String url() {
    Configuration conf = UTIL.getConfiguration();
    return SpyhopDriver.PREFIX
        + "zookeeper=127.0.0.1;"
        + HConstants.ZOOKEEPER_CLIENT_PORT
        + "="
        + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
  }

  static Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }
}
