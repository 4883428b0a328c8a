package io.spyhop.gateway;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One mini cluster for all tests of the JVM, which checks rights, and goes with the JVM. The user
 * of the tests may do everything, and stand for others.
 */
final class GatewayCluster {
  static final byte[] D = Bytes.toBytes("d");
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static Spyhop spyhop;

  private GatewayCluster() {}

  static synchronized HBaseTestingUtility start() throws Exception {
    if (spyhop == null) {
      Configuration conf = UTIL.getConfiguration();
      String access = AccessController.class.getName();
      conf.set(
          "hbase.coprocessor.regionserver.classes",
          SpyhopRegionServer.class.getName() + "," + access);
      conf.set("hbase.coprocessor.master.classes", SpyhopMaster.class.getName() + "," + access);
      conf.set("hbase.coprocessor.region.classes", access);
      conf.setBoolean("hbase.security.authorization", true);
      conf.setBoolean("hadoop.security.authorization", true); // of proxy users
      conf.set(SpyhopRpcSchedulerFactory.KEY, SpyhopRpcSchedulerFactory.class.getName());
      String user = System.getProperty("user.name");
      conf.set("hbase.superuser", user + "," + user + ".hfs.0"); // the user of the server
      conf.set("hadoop.proxyuser." + user + ".hosts", "*");
      conf.set("hadoop.proxyuser." + user + ".users", "alice,bob");
      Path files = Files.createTempDirectory(Path.of("target"), "spyhop");
      conf.set("spyhop.ifile.dir", files.toUri().toString());
      UTIL.startMiniCluster(1);
      UTIL.waitTableAvailable(PermissionStorage.ACL_TABLE_NAME);
      spyhop = Spyhop.connect(UTIL.getConnection());
    }
    return UTIL;
  }

  static Spyhop spyhop() {
    return spyhop;
  }

  static Connection connection() throws Exception {
    return UTIL.getConnection();
  }

  static Configuration conf() {
    return UTIL.getConfiguration();
  }

  /** A table whose columns of family d are declared, without an index file. */
  static TableName table(String name, Map<String, ValueType> columns, List<Put> rows)
      throws Exception {
    TableName table = TableName.valueOf(name);
    UTIL.createTable(table, D).close();
    List<IndexDefinition> indexes = new ArrayList<>();
    columns.forEach(
        (column, type) ->
            indexes.add(
                IndexDefinition.builder("i_" + column)
                    .column("d:" + column)
                    .type(type)
                    .kind(IndexKind.STATS)
                    .build()));
    spyhop.admin().createIndexes(table, indexes);
    spyhop.admin().waitUntilActive(table, Duration.ofMinutes(1));
    try (Table to = connection().getTable(table)) {
      to.put(rows);
    }
    return table;
  }

  /** Of a gateway for this machine, without tokens. */
  static GatewaySettings settings(GatewaySettings.Limits limits) {
    return new GatewaySettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        Optional.empty(),
        false,
        limits);
  }
}
