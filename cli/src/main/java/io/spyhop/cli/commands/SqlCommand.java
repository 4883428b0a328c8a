package io.spyhop.cli.commands;

import io.spyhop.jdbc.SpyhopDriver;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.commons.io.output.WriterOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import sqlline.SqlLine;

/** {@code spyhop sql}. */
@Command(
    name = "sql",
    description = {
      "Asks in SQL: runs one statement, or opens a prompt.",
      "",
      "At the prompt, statements end with a semicolon; !tables, !columns TABLE, !help and !quit are"
          + " commands. EXPLAIN PLAN FOR shows what HBase does of a statement, and docs/sql.md"
          + " what there is. Nothing is written.",
      ""
    })
final class SqlCommand implements Callable<Integer> {
  /** Formats of rows, by SQLLine's names. */
  enum Format {
    TABLE,
    CSV,
    JSON,
    VERTICAL
  }

  /** Lines are not cut. */
  private static final int WIDE = 100_000;

  private static final int BUFFER = 4096;

  /** Before what SQLLine would pass over as a comment, and SQL does not. */
  private static final String NO_COMMENT = "/**/ ";

  @Mixin private ConnectionOptions connection;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "TABLE",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Parameters(
      arity = "0..1",
      paramLabel = "STATEMENT",
      description =
          "Such as \"SELECT COUNT(*) FROM orders\", or several with semicolons; without it they are"
              + " read from standard input, or asked for at a terminal.")
  private Optional<String> statement;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    String url = SpyhopDriver.PREFIX + connection.settings();
    List<String> all =
        new ArrayList<>(
            List.of(
                "-u",
                url,
                "-d",
                SpyhopDriver.class.getName(),
                "-n",
                "",
                "-p",
                "",
                "--isolation=TRANSACTION_NONE",
                "--outputformat=" + format.name().toLowerCase(Locale.ROOT)));
    Optional<String> text = statements();
    return text.isPresent() ? runAll(new SqlText(text.get()), all) : prompt(all);
  }

  private static int prompt(List<String> arguments) throws IOException {
    SqlLine.Status status = new SqlLine().begin(arguments.toArray(String[]::new), null, false);
    return status == SqlLine.Status.OK ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private int runAll(SqlText text, List<String> arguments) throws IOException {
    if (text.unfinished().isPresent()) {
      Failures.print(spec.commandLine(), text.unfinished().get());
      return ExitCode.SOFTWARE;
    }
    if (text.statements().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "there is no statement: name one, or pipe it in");
    }
    arguments.addAll(0, List.of("--maxWidth=" + WIDE, "--headerInterval=0"));
    arguments.add("--silent=true");
    if (format != Format.JSON) { // which has a null of its own
      arguments.add("--nullValue=null");
    }
    for (String one : text.statements()) {
      arguments.addAll(List.of("-e", one.startsWith("#") ? NO_COMMENT + one : one));
    }
    SqlBatch line = new SqlBatch();
    line.setOutputStream(stream(spec.commandLine().getOut()));
    line.setErrorStream(stream(spec.commandLine().getErr()));
    SqlLine.Status status = line.begin(arguments.toArray(String[]::new), null, false);
    return status == SqlLine.Status.OK && !line.hasFailed() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Without a terminal they are what is piped in: at a prompt a failure would not be seen. */
  private Optional<String> statements() throws IOException {
    return statement.isPresent() || System.console() != null
        ? statement
        : Optional.of(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
  }

  private static PrintStream stream(PrintWriter to) {
    OutputStream bytes = new WriterOutputStream(to, StandardCharsets.UTF_8, BUFFER, true);
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
