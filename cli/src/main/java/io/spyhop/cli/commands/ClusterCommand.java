package io.spyhop.cli.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop cluster}. */
@Command(
    name = "cluster",
    description = {
      "Starts, shows, breaks and stops a cluster on this machine: HDFS, ZooKeeper, a master and"
          + " region servers with Spyhop, each a process of its own.",
      "",
      "All that a cluster has is in one directory, and it listens on 127.0.0.1 only. It goes on"
          + " when the command that started it ends.",
      ""
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterStartCommand.class,
      ClusterStatusCommand.class,
      ClusterKillCommand.class,
      ClusterRestartCommand.class,
      ClusterAddCommand.class,
      ClusterStopCommand.class
    })
final class ClusterCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "what about the cluster: start, status, kill, restart, add or stop?");
  }
}
