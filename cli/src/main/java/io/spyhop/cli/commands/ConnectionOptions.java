package io.spyhop.cli.commands;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import picocli.CommandLine.Option;

/** Where the HBase is that a command talks to. */
final class ConnectionOptions {
  private static final String CLIENT_DEFAULTS = "spyhop-client.xml";
  private static final String SITE = "hbase-site.xml";
  private static final int CONNECT_MILLIS = 3_000;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description =
          "The ZooKeeper of the HBase, several separated by commas; without port 2181"
              + " (default: 127.0.0.1:2181, or what --conf says).")
  private Optional<String> zookeeper;

  @Option(
      names = "--conf",
      paramLabel = "FILE",
      description = "A client's hbase-site.xml, or the directory that has it.")
  private Optional<Path> conf;

  /**
   * Connects.
   *
   * @throws IOException if the configuration is not there or nobody answers
   */
  Connection connect() throws IOException {
    Configuration configuration = configuration();
    checkReachable(ZKConfig.getZKQuorumServersString(configuration));
    return ConnectionFactory.createConnection(configuration);
  }

  private Configuration configuration() throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(CLIENT_DEFAULTS);
    if (conf.isPresent()) {
      configuration.addResource(site(conf.get()).toUri().toURL());
    }
    zookeeper.ifPresent(servers -> configuration.set(HConstants.ZOOKEEPER_QUORUM, servers));
    return configuration;
  }

  private static Path site(Path given) throws IOException {
    Path file = Files.isDirectory(given) ? given.resolve(SITE) : given;
    if (!Files.isReadable(file)) {
      throw new IOException("--conf: cannot read '" + file + "'");
    }
    return file;
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
