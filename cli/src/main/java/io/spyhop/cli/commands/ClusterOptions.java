package io.spyhop.cli.commands;

import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.Server;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that name one cluster of this machine. */
final class ClusterOptions {
  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "The cluster's directory.")
  private Path dir;

  Path dir() {
    return dir;
  }

  /** The cluster that was started there; to be closed, which does not stop it. */
  Cluster attach() throws IOException {
    return Cluster.attach(dir);
  }

  /**
   * A server of a cluster.
   *
   * @param named a region server's number, or any server's name
   */
  static Server server(Cluster cluster, String named) throws IOException {
    boolean number = named.chars().allMatch(c -> c >= '0' && c <= '9');
    return cluster.server(number ? "regionserver-" + named : named);
  }
}
