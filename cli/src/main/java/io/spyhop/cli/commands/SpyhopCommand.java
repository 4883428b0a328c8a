package io.spyhop.cli.commands;

import io.spyhop.cli.output.StandardError;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
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
    exitCodeList = {"0:done", "1:failed, or not all was right", "2:bad input"},
    subcommands = {
      DemoCommand.class,
      ServerCommand.class,
      ClusterCommand.class,
      DoctorCommand.class,
      ConsoleCommand.class,
      GatewayCommand.class,
      ImportCommand.class,
      IndexCommand.class,
      ViewCommand.class,
      BucketsCommand.class,
      RebalanceCommand.class,
      QueryCommand.class,
      ExplainCommand.class,
      SqlCommand.class,
      BenchCommand.class,
      ReportCommand.class
    })
public final class SpyhopCommand implements Runnable {
  /** Looked for before anything is parsed, too: logging is set up earlier. */
  static final String DEBUG = "--debug";

  @Option(
      names = DEBUG,
      scope = ScopeType.INHERIT,
      description =
          "Where a command fails, print the stack trace too; and what HBase's client logs"
              + " meanwhile.")
  private boolean debug;

  @Spec private CommandSpec spec;

  /** The whole command line, ready to be executed. */
  public static CommandLine commandLine() {
    SpyhopCommand root = new SpyhopCommand();
    CommandLine commands = new CommandLine(root);
    for (String conditions : List.of("query", "explain")) {
      // A condition may begin with a minus; QueryOptions refuses what looks like an option.
      commands.getSubcommands().get(conditions).setUnmatchedOptionsArePositionalParams(true);
    }
    HelpLines.wrap(commands);
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Failures::badUsage)
        .setExecutionExceptionHandler((e, line, parsed) -> Failures.report(e, line, root.debug));
  }

  /**
   * Runs a command as the only one of this JVM: what goes wrong in any of its threads is one line
   * on standard error, unless the user asks for more.
   *
   * @return its exit code
   */
  @SuppressWarnings("SystemOut") // it is what the command writes to
  public static int run(String... args) {
    boolean debug = Arrays.asList(args).contains(DEBUG);
    Logs.begin(debug);
    PrintWriter err = new PrintWriter(StandardError.stream(), true, Charset.defaultCharset());
    // Text is shown as it is, whatever the locale.
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    CommandLine line = commandLine().setErr(err).setOut(out);
    try {
      int code = line.execute(args);
      if (code == ExitCode.OK && System.out.checkError()) {
        Failures.print(line, "the output could not be written to its end");
        return ExitCode.SOFTWARE;
      }
      return code;
    } catch (Error e) { // of the JVM, such as no memory: a line, too
      return Failures.report(e, line, debug);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }
}
