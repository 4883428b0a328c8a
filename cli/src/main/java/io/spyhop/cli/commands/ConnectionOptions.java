package io.spyhop.cli.commands;

import com.google.common.base.Strings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say where the HBase of a command is. */
final class ConnectionOptions {
  /** The variable of HBase's own scripts. */
  private static final String CONF_DIR = "HBASE_CONF_DIR";

  private static final String CLIENT_DEFAULTS = "spyhop-client.xml";
  private static final String SITE = "hbase-site.xml";

  /** What a directory of configuration files may have beside it, for secure clusters. */
  private static final List<String> HADOOP_SITES = List.of("core-site.xml", "hdfs-site.xml");

  private static final int CONNECT_MILLIS = 3_000;

  /** A host, or an IPv6 address in brackets, and perhaps a port. */
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^\\s:,\\[\\]]+)(:(?<port>\\d{1,5}))?");

  private static final int MAX_PORT = 65_535;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description =
          "The ZooKeeper of the HBase, several separated by commas; without port 2181"
              + " (default: 127.0.0.1:2181, or what --conf says).")
  private Optional<String> zookeeper;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "A client's configuration: a directory with hbase-site.xml and, for secure clusters,"
              + " core-site.xml and hdfs-site.xml; or an hbase-site.xml itself (default: what the"
              + " environment variable HBASE_CONF_DIR says).")
  private Optional<Path> conf;

  @Mixin private KerberosOptions kerberos;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /**
   * Connects, as the user that the configuration asks for.
   *
   * @throws IOException if the configuration is not there, the user has no credentials or nobody
   *     answers
   */
  Connection connect() throws IOException {
    Configuration configuration = configuration();
    kerberos.login(configuration, spec);
    checkReachable(ZKConfig.getZKQuorumServersString(configuration));
    return ConnectionFactory.createConnection(configuration);
  }

  /**
   * The same for the address of a JDBC connection, once that user is logged in and a ZooKeeper
   * answers.
   *
   * @throws IOException as {@link #connect} says
   */
  String settings() throws IOException {
    Configuration configuration = configuration();
    kerberos.login(configuration, spec);
    checkReachable(ZKConfig.getZKQuorumServersString(configuration));
    List<String> settings = new ArrayList<>();
    zookeeper.ifPresent(z -> settings.add("zookeeper='" + z + "'"));
    Optional<String> site =
        conf.map(Path::toString).or(() -> Optional.ofNullable(System.getenv(CONF_DIR)));
    site.filter(s -> !s.isEmpty())
        .ifPresent(s -> settings.add("conf='" + s.replace("'", "''") + "'"));
    return String.join(";", settings);
  }

  private Configuration configuration() throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(CLIENT_DEFAULTS);
    if (conf.isPresent()) {
      addSites(configuration, "--conf", conf.get());
    } else if (!Strings.isNullOrEmpty(System.getenv(CONF_DIR))) {
      addSites(configuration, CONF_DIR, Path.of(System.getenv(CONF_DIR)));
    }
    if (zookeeper.isPresent()) {
      checkAddresses(zookeeper.get());
      configuration.set(HConstants.ZOOKEEPER_QUORUM, zookeeper.get());
    }
    return configuration;
  }

  private void checkAddresses(String servers) {
    if (servers.isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--zookeeper is empty; name a server, such as 127.0.0.1:2181");
    }
    for (String server : servers.split(",", -1)) {
      Matcher address = ADDRESS.matcher(server.strip());
      if (!address.matches() || !isPort(address.group("port"))) {
        throw new ParameterException(
            spec.commandLine(),
            "--zookeeper: '"
                + server
                + "' is not HOST or HOST:PORT with a port of 1 to "
                + MAX_PORT
                + ", such as 127.0.0.1:2181");
      }
    }
  }

  private static boolean isPort(String digits) {
    return digits == null || isPort(Integer.parseInt(digits));
  }

  private static boolean isPort(int number) {
    return number > 0 && number <= MAX_PORT;
  }

  private static void addSites(Configuration configuration, String said, Path given)
      throws IOException {
    for (Path site : sites(said, given)) {
      add(configuration, said, site);
    }
  }

  private static List<Path> sites(String said, Path given) throws IOException {
    List<Path> sites = new ArrayList<>();
    Path site = given;
    if (Files.isDirectory(given)) {
      HADOOP_SITES.stream().map(given::resolve).filter(Files::exists).forEach(sites::add);
      site = given.resolve(SITE);
    }
    sites.add(site);
    for (Path file : sites) {
      if (!Files.isReadable(file)) {
        throw new IOException(said + ": cannot read '" + file + "'");
      }
    }
    return sites;
  }

  /** Hadoop parses files late, and says of a broken one neither its name nor why. */
  private static void add(Configuration configuration, String said, Path site) throws IOException {
    URL url = site.toUri().toURL();
    try {
      Configuration alone = new Configuration(false);
      alone.setQuietMode(true);
      alone.addResource(url);
      alone.size();
    } catch (RuntimeException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          said + ": '" + site + "' is no configuration file: " + why.getMessage(), e);
    }
    configuration.addResource(url);
  }

  /** HBase's client would try for minutes before it says that nobody is there. */
  private static void checkReachable(String servers) throws IOException {
    List<String> failures = new ArrayList<>();
    for (String server : servers.split(",")) {
      Optional<String> failure = failure(server.strip());
      if (failure.isEmpty()) {
        return;
      }
      failures.add(failure.get());
    }
    throw new IOException(
        "no ZooKeeper answers: "
            + String.join("; ", failures)
            + ". Is HBase running there? Say where with --zookeeper or --conf");
  }

  private static Optional<String> failure(String server) {
    int colon = server.lastIndexOf(':');
    try (Socket socket = new Socket()) {
      int port = Integer.parseInt(server.substring(colon + 1));
      String host = server.substring(0, Math.max(0, colon));
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      return Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.of("'" + server + "' is not HOST:PORT");
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of(server + ": " + e.getMessage());
    }
  }
}
