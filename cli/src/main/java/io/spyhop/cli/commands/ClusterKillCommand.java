package io.spyhop.cli.commands;

import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterException;
import io.spyhop.cluster.Server;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster kill}. */
@Command(
    name = "kill",
    description = {
      "Ends a server's process from one instruction to the next (SIGKILL), as a crash does.",
      ""
    })
final class ClusterKillCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Parameters(
      index = "0",
      paramLabel = "SERVER",
      description = "A region server's number, or any server's name as 'cluster status' shows it.")
  private String named;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (Cluster attached = cluster.attach()) {
      Server server = ClusterOptions.server(attached, named);
      if (!server.kill()) {
        throw new ClusterException(server + " does not run; nothing is killed");
      }
      spec.commandLine().getOut().printf("%s is killed.%n", server);
      return ExitCode.OK;
    }
  }
}
