package io.spyhop.cli.commands;

import io.spyhop.cli.csv.InvalidCsvException;
import io.spyhop.cli.output.InvalidResultsException;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.cluster.ClusterException;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.predicate.InvalidPredicateException;
import io.spyhop.core.predicate.UnknownColumnException;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.InvalidValueException;
import io.spyhop.gateway.FailureText;
import java.io.PrintWriter;
import java.util.List;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotFoundException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/** Turns failures into what users see: one line on standard error, and an exit code. */
final class Failures {
  private static final List<Class<? extends Exception>> BAD_INPUT =
      List.of(
          InvalidQueryException.class,
          InvalidCsvException.class,
          InvalidResultsException.class,
          ClusterException.class,
          UnknownColumnException.class,
          InvalidPredicateException.class,
          InvalidIndexException.class,
          InvalidBucketsException.class,
          TableExistsException.class,
          InvalidValueException.class,
          TableNotFoundException.class,
          NamespaceNotFoundException.class,
          ParameterException.class);

  private Failures() {}

  /** A command line that does not parse. */
  static int badUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String help = line.getCommandSpec().qualifiedName() + " --help";
    print(line, e.getMessage() + " (see " + help + ")");
    return ExitCode.USAGE;
  }

  /** A command that threw. */
  static int report(Throwable e, CommandLine line, boolean stacktrace) {
    Throwable reason = FailureText.reason(e);
    print(line, FailureText.of(reason));
    if (stacktrace) {
      e.printStackTrace(line.getErr());
    }
    boolean badInput = BAD_INPUT.stream().anyMatch(c -> c.isInstance(reason));
    return badInput ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** One line on standard error. */
  static void print(CommandLine line, String message) {
    PrintWriter err = line.getErr();
    err.println("spyhop: " + FailureText.firstLine(message));
    err.flush();
  }

  /** Lines on standard error about what is done all the same. */
  static void warn(CommandLine line, List<String> warnings) {
    warnings.forEach(w -> print(line, "warning: " + w));
  }
}
