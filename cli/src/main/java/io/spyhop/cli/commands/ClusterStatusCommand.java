package io.spyhop.cli.commands;

import io.spyhop.cli.output.TextTable;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster status}. */
@Command(
    name = "status",
    description = {
      "Shows the servers of a cluster, which are running, ended (killed, or failed) or stopped.",
      "",
      "The exit code is 0 if all of them run, and 1 if not.",
      ""
    })
final class ClusterStatusCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    TextTable table = new TextTable("server", "state", ">process", ">port", "log");
    boolean all = true;
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster attached = cluster.attach()) {
      for (Server server : attached.servers()) {
        Server.State state = server.state();
        all &= state == Server.State.RUNNING;
        table.add(
            server,
            state.name().toLowerCase(Locale.ROOT),
            text(server.pid()),
            server.port(),
            server.log());
      }
      table.lines().forEach(out::println);
      out.printf("%nconnect  --zookeeper %s%n", attached.connectString());
    }
    return all ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static String text(OptionalLong pid) {
    return pid.isPresent() ? Long.toString(pid.getAsLong()) : "-";
  }
}
