package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.Server;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster add}. */
@Command(
    name = "add",
    description = {
      "Adds a region server to a running cluster, like those that it has.",
      "",
      "HBase's balancer moves regions to it in time.",
      ""
    })
final class ClusterAddCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    try (Cluster attached = cluster.attach()) {
      attached.requireRunning(List.of(attached.server("master")));
      Server added = attached.addRegionServer(Map.of());
      attached.awaitUp(List.of(added));
      spec.commandLine().getOut().printf("%s is up after %s.%n", added, Texts.since(start));
      return ExitCode.OK;
    }
  }
}
