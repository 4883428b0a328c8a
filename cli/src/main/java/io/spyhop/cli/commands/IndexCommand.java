package io.spyhop.cli.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop index}. */
@Command(
    name = "index",
    description = "Creates, drops, lists, watches and verifies the indexes of a table.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IndexCreateCommand.class,
      IndexDropCommand.class,
      IndexJobsCommand.class,
      IndexListCommand.class,
      IndexRebuildCommand.class,
      IndexVerifyCommand.class,
      IndexStatusCommand.class
    })
final class IndexCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what about indexes: create, drop, jobs, list, rebuild, status or verify?");
  }
}
