package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.cli.server.SpyhopCluster;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterSpec;
import io.spyhop.cluster.Server;
import io.spyhop.cluster.ServerRole;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster start}. */
@Command(
    name = "start",
    description = {
      "Starts a cluster in a directory that is empty or absent, and returns when all its servers"
          + " are up.",
      "",
      "A cluster that was stopped starts again as it was, with its data; what it is to have is"
          + " said only the first time.",
      ""
    })
final class ClusterStartCommand implements Callable<Integer> {
  private static final String REGION_SERVERS = "--region-servers";
  private static final String DATA_NODES = "--data-nodes";
  private static final String ZOOKEEPER_PORT = "--zookeeper-port";
  private static final String HEAP = "--heap";
  private static final String SETTING = "-D";

  @Mixin private ClusterOptions cluster;

  @Option(
      names = REGION_SERVERS,
      paramLabel = "N",
      defaultValue = "3",
      description = "How many region servers there are at first (default: ${DEFAULT-VALUE}).")
  private int regionServers;

  @Option(
      names = DATA_NODES,
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "How many data nodes HDFS has (default: ${DEFAULT-VALUE}).",
        "0: no HDFS; the data is in local files, and a crash of the machine may lose the last"
            + " writes."
      })
  private int dataNodes;

  @Option(
      names = ZOOKEEPER_PORT,
      paramLabel = "PORT",
      description = "Where clients connect (default: any that is free).")
  private Integer zooKeeperPort;

  @Option(
      names = HEAP,
      paramLabel = "SIZE",
      defaultValue = "512m",
      description = "A region server's largest heap, such as 1g (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = SETTING,
      paramLabel = "NAME=VALUE",
      mapFallbackValue = "",
      description = "A setting of all servers, as in hbase-site.xml; may be repeated.")
  private final Map<String, String> settings = new HashMap<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    try (Cluster started = isStopped() ? startAgain() : Cluster.start(cluster.dir(), wanted())) {
      say(started, Texts.since(start));
    }
    return ExitCode.OK;
  }

  /** Whether there is a cluster of which nothing runs. */
  private boolean isStopped() throws IOException {
    if (!Cluster.isIn(cluster.dir())) {
      return false;
    }
    try (Cluster there = cluster.attach()) {
      for (Server server : there.servers()) {
        if (server.isRunning()) {
          return false;
        }
      }
    }
    return true;
  }

  private Cluster startAgain() throws IOException {
    for (String option : new String[] {REGION_SERVERS, DATA_NODES, ZOOKEEPER_PORT, HEAP, SETTING}) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(),
            "the cluster in '" + cluster.dir() + "' starts as it was, without " + option);
      }
    }
    Cluster again = cluster.attach();
    try {
      again.startAll();
      return again;
    } catch (IOException | RuntimeException e) {
      again.close();
      throw e;
    }
  }

  private ClusterSpec wanted() throws IOException {
    ClusterSpec.Builder wanted =
        SpyhopCluster.in(cluster.dir())
            .regionServers(regionServers)
            .dataNodes(dataNodes)
            .heap(ServerRole.REGION_SERVER, heap)
            .settings(settings);
    if (zooKeeperPort != null) {
      wanted.port(ServerRole.ZOOKEEPER, zooKeeperPort);
    }
    try {
      return wanted.build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void say(Cluster started, String time) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Path conf = started.directory().resolve("conf");
    out.printf("%d servers are up after %s.%n", started.servers().size(), time);
    out.printf("  connect  --zookeeper %s%n", started.connectString());
    out.printf("  conf     %s%n", conf);
    out.printf("  logs     %s%n", started.directory().resolve("logs"));
    out.printf("They go on until: spyhop cluster stop --dir %s%n", cluster.dir());
  }
}
