package io.spyhop.cli.commands;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command: options that all commands have. */
@Command(
    name = "spyhop",
    description = "Finds rows of Apache HBase tables by value.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed, or answers differ", "2:bad input"},
    subcommands = {
      DemoCommand.class,
      ServerCommand.class,
      IndexCommand.class,
      QueryCommand.class,
      ExplainCommand.class,
      BenchCommand.class
    })
public final class SpyhopCommand implements Runnable {
  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Where a command fails, print the stack trace too.")
  private boolean stacktrace;

  @Spec private CommandSpec spec;

  /** The whole command line, ready to be executed. */
  public static CommandLine commandLine() {
    SpyhopCommand root = new SpyhopCommand();
    return new CommandLine(root)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Failures::badUsage)
        .setExecutionExceptionHandler(
            (e, line, parsed) -> Failures.report(e, line, root.stacktrace));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }
}
