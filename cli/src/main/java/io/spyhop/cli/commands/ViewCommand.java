package io.spyhop.cli.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop view}. */
@Command(
    name = "view",
    description = "Switches the sorted views of a column family on and off.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ViewEnableCommand.class, ViewDisableCommand.class, ViewStatusCommand.class})
final class ViewCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "what about sorted views: disable, enable or status?");
  }
}
