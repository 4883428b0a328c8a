package io.spyhop.cli.commands;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs commands in this JVM. */
final class Cli {
  /**
   * The outcome of a command.
   *
   * @param code its exit code
   * @param out standard output
   * @param err standard error
   */
  record Run(int code, String out, String err) {}

  private Cli() {}

  static Run run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        SpyhopCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    int code = line.execute(args);
    return new Run(code, out.toString(), err.toString());
  }
}
