package io.spyhop.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.HConstants;

/** Writes what all servers of a cluster read. Stateless. */
final class ConfigurationFiles {
  /** ZooKeeper's own. */
  static final String ZOOKEEPER = "zoo.cfg";

  static final String HBASE = "hbase-site.xml";
  private static final int MAX_REPLICATION = 3;

  private ConfigurationFiles() {}

  /**
   * Writes all files.
   *
   * @param ports of the servers of which there is one; ZooKeeper's in any case
   */
  static void write(ClusterDirectory dir, ClusterSpec spec, Map<ServerRole, Integer> ports)
      throws IOException {
    String fileSystem = fileSystem(spec, ports);
    Map<String, String> core = new HashMap<>();
    core.put(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, fileSystem);
    core.put("hadoop.tmp.dir", dir.data("tmp").toString());
    write(dir, "core-site.xml", core);
    if (spec.count(ServerRole.NAME_NODE) > 0) {
      Map<String, String> hdfs = hdfs(dir, spec, ports);
      hdfs.putAll(spec.settings());
      write(dir, "hdfs-site.xml", hdfs);
      writeWebPlaces(dir);
    }
    Map<String, String> hbase = hbase(dir, spec, ports.get(ServerRole.ZOOKEEPER));
    hbase.put(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, fileSystem);
    hbase.put(HConstants.HBASE_DIR, root(dir, fileSystem));
    hbase.putAll(spec.settings());
    write(dir, HBASE, hbase);
    writeText(dir, ZOOKEEPER, zooKeeper(dir, ports.get(ServerRole.ZOOKEEPER)));
    for (Map.Entry<String, String> file : spec.files().entrySet()) {
      writeText(dir, file.getKey(), file.getValue());
    }
  }

  private static String fileSystem(ClusterSpec spec, Map<ServerRole, Integer> ports) {
    if (spec.count(ServerRole.NAME_NODE) > 0) {
      return "hdfs://" + Loopback.HOST + ":" + ports.get(ServerRole.NAME_NODE);
    }
    return spec.fileSystem().map(Object::toString).orElse("file:///");
  }

  private static String root(ClusterDirectory dir, String fileSystem) {
    return fileSystem.startsWith("file:")
        ? dir.data("hbase").toUri().toString()
        : fileSystem + "/hbase";
  }

  private static Map<String, String> hdfs(
      ClusterDirectory dir, ClusterSpec spec, Map<ServerRole, Integer> ports) {
    Map<String, String> all = new HashMap<>();
    int replication = Math.min(spec.count(ServerRole.DATA_NODE), MAX_REPLICATION);
    all.put("dfs.replication", String.valueOf(replication));
    all.put("dfs.namenode.rpc-address", Loopback.HOST + ":" + ports.get(ServerRole.NAME_NODE));
    all.put("dfs.namenode.http-address", Loopback.HOST + ":0");
    all.put("dfs.namenode.name.dir", dir.data("namenode").toUri().toString());
    all.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    all.put("dfs.namenode.safemode.extension", "0");
    all.put("dfs.permissions.enabled", "false");
    all.put("dfs.datanode.hostname", Loopback.HOST);
    all.put("dfs.datanode.ipc.address", Loopback.HOST + ":0");
    all.put("dfs.datanode.http.address", Loopback.HOST + ":0");
    // As many data nodes as there are: a pipeline cannot look for others.
    all.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    return all;
  }

  private static Map<String, String> hbase(ClusterDirectory dir, ClusterSpec spec, int zooKeeper) {
    Map<String, String> all = new HashMap<>();
    all.put(HConstants.CLUSTER_DISTRIBUTED, "true");
    all.put("hbase.tmp.dir", dir.data("tmp").toString());
    all.put(HConstants.ZOOKEEPER_QUORUM, Loopback.HOST);
    all.put(HConstants.ZOOKEEPER_CLIENT_PORT, String.valueOf(zooKeeper));
    for (String role : List.of("master", "regionserver")) {
      all.put("hbase." + role + ".hostname", Loopback.HOST);
      all.put("hbase." + role + ".ipc.address", Loopback.HOST);
      all.put("hbase." + role + ".info.port", "-1");
    }
    all.put("hbase.master.wait.on.regionservers.mintostart", "1");
    all.put(
        "hbase.master.wait.on.regionservers.maxtostart",
        String.valueOf(spec.count(ServerRole.REGION_SERVER)));
    all.put("hbase.regionserver.msginterval", "500");
    all.put("hbase.regionserver.handler.count", "10");
    if (spec.count(ServerRole.NAME_NODE) > 0) {
      all.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    } else if (spec.fileSystem().isEmpty()) {
      // The local file system cannot promise to keep what a crash of the machine interrupts.
      all.put("hbase.unsafe.stream.capability.enforce", "false");
    }
    return all;
  }

  private static String zooKeeper(ClusterDirectory dir, int port) {
    return String.join(
        "\n",
        "tickTime=2000",
        "minSessionTimeout=1000",
        "maxSessionTimeout=120000",
        "dataDir=" + dir.data("zookeeper"),
        "clientPort=" + port,
        "clientPortAddress=" + Loopback.HOST,
        "admin.enableServer=false",
        "maxClientCnxns=0",
        "");
  }

  /** Where HDFS looks for its web pages, which are not in its jar. */
  private static void writeWebPlaces(ClusterDirectory dir) throws IOException {
    for (String place : List.of("hdfs", "datanode")) {
      Path pages = Path.of("webapps", place, "WEB-INF", "web.xml");
      Files.createDirectories(dir.conf().resolve(pages).getParent());
      writeText(dir, pages.toString(), "<web-app/>\n");
    }
  }

  private static void write(ClusterDirectory dir, String name, Map<String, String> settings)
      throws IOException {
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(dir.conf().resolve(name))) {
      site.writeXml(out);
    }
  }

  private static void writeText(ClusterDirectory dir, String name, String text) throws IOException {
    Files.writeString(dir.conf().resolve(name), text);
  }
}
