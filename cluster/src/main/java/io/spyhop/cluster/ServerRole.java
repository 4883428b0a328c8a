package io.spyhop.cluster;

import java.util.Locale;

/** The kinds of servers, in the order in which they are started. */
public enum ServerRole {
  /** HDFS's master. */
  NAME_NODE("192m", "dfs.namenode.rpc-address"),
  /** One of HDFS's workers. */
  DATA_NODE("160m", "dfs.datanode.address"),
  /** A quorum of one. */
  ZOOKEEPER("96m", "clientPort"),
  /** HBase's master. */
  MASTER("384m", "hbase.master.port"),
  /** One of HBase's workers. */
  REGION_SERVER("384m", "hbase.regionserver.port");

  private final String heap;
  private final String portSetting;

  ServerRole(String heap, String portSetting) {
    this.heap = heap;
    this.portSetting = portSetting;
  }

  /** The largest heap where nobody says another one, as of {@code -Xmx}. */
  String heap() {
    return heap;
  }

  /** Where the server reads its port, or its address with the port. */
  String portSetting() {
    return portSetting;
  }

  /** Whether a cluster may have several. */
  boolean isNumbered() {
    return this == DATA_NODE || this == REGION_SERVER;
  }

  /** Whether it is a server of HBase. */
  boolean isHBase() {
    return this == MASTER || this == REGION_SERVER;
  }

  /** The name of a server, such as {@code master} or {@code regionserver-2}. */
  String nameOf(int number) {
    String name = name().replace("_", "").toLowerCase(Locale.ROOT);
    return isNumbered() ? name + "-" + number : name;
  }
}
