package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.Server;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster restart}. */
@Command(
    name = "restart",
    description = {
      "Stops a server as an operator does, if it runs, and starts it again at its port.",
      ""
    })
final class ClusterRestartCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Parameters(
      index = "0",
      paramLabel = "SERVER",
      description = "A region server's number, or any server's name as 'cluster status' shows it.")
  private String named;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    try (Cluster attached = cluster.attach()) {
      Server server = ClusterOptions.server(attached, named);
      attached.restart(server);
      spec.commandLine().getOut().printf("%s is up again after %s.%n", server, Texts.since(start));
      return ExitCode.OK;
    }
  }
}
