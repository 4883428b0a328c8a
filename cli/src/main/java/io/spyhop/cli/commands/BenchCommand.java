package io.spyhop.cli.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spyhop bench}. */
@Command(
    name = "bench",
    description = "Measures Spyhop.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BenchCostsCommand.class,
      BenchDeliCommand.class,
      BenchDynahashCommand.class,
      BenchPruningCommand.class,
      BenchMdrqCommand.class,
      BenchOrderCommand.class,
      BenchRemixCommand.class,
      BenchScaleCommand.class
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which benchmark: costs, deli, dynahash, mdrq, order, pruning, remix or scale?");
  }
}
