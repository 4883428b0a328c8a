package io.spyhop.jdbc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.calcite.avatica.ConnectStringParser;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** The settings of a connection, of its address and its properties. Immutable. */
final class Settings {
  private static final String ZOOKEEPER = "zookeeper";
  private static final String CONF = "conf";
  private static final String SITE = "hbase-site.xml";
  private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml", SITE);

  /** What JDBC's callers and tools give every driver. */
  private static final List<String> OF_NOBODY = List.of("user", "password");

  private final Map<String, String> all;

  private Settings(Map<String, String> all) {
    this.all = all;
  }

  /**
   * Reads them.
   *
   * @param address what is behind {@code jdbc:spyhop:}
   * @throws SQLException if there is one that nobody knows
   */
  static Settings of(String address, Properties info) throws SQLException {
    Map<String, String> all = new TreeMap<>();
    info.stringPropertyNames().forEach(name -> all.put(name, info.getProperty(name)));
    Properties ofAddress = ConnectStringParser.parse(address);
    ofAddress.stringPropertyNames().forEach(name -> all.put(name, ofAddress.getProperty(name)));
    for (String name : all.keySet()) {
      if (!name.contains(".")
          && !name.equals(ZOOKEEPER)
          && !name.equals(CONF)
          && !OF_NOBODY.contains(name)) {
        throw new SQLException(
            "unknown setting '"
                + name
                + "' of a connection: there are zookeeper, conf, and those of HBase and Spyhop,"
                + " such as hbase.client.retries.number");
      }
    }
    if (all.getOrDefault(ZOOKEEPER, "127.0.0.1").isBlank()) {
      throw new SQLException("zookeeper is empty: name a server, such as 127.0.0.1:2181");
    }
    return new Settings(all);
  }

  /** How SQL is read: names are as HBase has them. */
  Properties ofCalcite() {
    Properties of = new Properties();
    set(of, CalciteConnectionProperty.CASE_SENSITIVE, "true");
    set(of, CalciteConnectionProperty.UNQUOTED_CASING, "UNCHANGED");
    set(of, CalciteConnectionProperty.QUOTED_CASING, "UNCHANGED");
    set(of, CalciteConnectionProperty.QUOTING, "DOUBLE_QUOTE");
    set(of, CalciteConnectionProperty.CONFORMANCE, "LENIENT");
    set(of, CalciteConnectionProperty.TYPE_SYSTEM, SpyhopTypes.class.getName());
    return of;
  }

  private static void set(Properties of, CalciteConnectionProperty property, String value) {
    of.setProperty(property.camelName(), value);
  }

  /**
   * How HBase is reached.
   *
   * @throws SQLException if the directory of settings is none
   */
  Configuration ofHBase() throws SQLException {
    Configuration conf = HBaseConfiguration.create();
    if (all.containsKey(CONF)) {
      for (Path file : files(Path.of(all.get(CONF)))) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    all.forEach(
        (name, value) -> {
          if (name.contains(".")) {
            conf.set(name, value);
          }
        });
    if (all.containsKey(ZOOKEEPER)) {
      conf.set(HConstants.ZOOKEEPER_QUORUM, all.get(ZOOKEEPER));
    }
    return conf;
  }

  private static List<Path> files(Path given) throws SQLException {
    Path site = Files.isDirectory(given) ? given.resolve(SITE) : given;
    if (!Files.isReadable(site)) {
      throw new SQLException("conf: '" + site + "' cannot be read");
    }
    return site.equals(given)
        ? List.of(given)
        : FILES.stream().map(given::resolve).filter(Files::isReadable).toList();
  }
}
