package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.cluster.Cluster;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster stop}. */
@Command(
    name = "stop",
    description = {
      "Stops all servers of a cluster; what does not stop in time is killed.",
      "",
      "The directory stays, and 'cluster start' starts the cluster again.",
      ""
    })
final class ClusterStopCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    try (Cluster attached = cluster.attach()) {
      attached.stop();
      spec.commandLine()
          .getOut()
          .printf(
              "The cluster in '%s' is stopped after %s.%n",
              attached.directory(), Texts.since(start));
      return ExitCode.OK;
    }
  }
}
