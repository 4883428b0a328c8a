package io.spyhop.cli.commands;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.predicate.InvalidPredicateException;
import io.spyhop.core.predicate.UnknownColumnException;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.InvalidValueException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.ipc.RemoteException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/** What a user sees of a failure: one line on standard error, and an exit code. */
final class Failures {
  private static final List<Class<? extends Exception>> BAD_INPUT =
      List.of(
          InvalidQueryException.class,
          UnknownColumnException.class,
          InvalidPredicateException.class,
          InvalidIndexException.class,
          InvalidValueException.class,
          TableNotFoundException.class,
          ParameterException.class);

  /** Exceptions that say where something failed, not what; what is in their cause. */
  private static final List<Class<? extends Exception>> WRAPPERS =
      List.of(
          UncheckedIOException.class, ExecutionException.class, RetriesExhaustedException.class);

  private static final Pattern CLASS_NAME =
      Pattern.compile("^([a-z][\\w]*\\.)+[A-Z][\\w$]*(Exception|Error): ");

  private Failures() {}

  /** A command line that does not parse. */
  static int badUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String help = line.getCommandSpec().qualifiedName() + " --help";
    print(line, e.getMessage() + " (see " + help + ")");
    return ExitCode.USAGE;
  }

  /** A command that threw. */
  static int report(Exception e, CommandLine line, boolean stacktrace) {
    Throwable reason = reason(e);
    print(line, message(reason));
    if (stacktrace) {
      e.printStackTrace(line.getErr());
    }
    boolean badInput = BAD_INPUT.stream().anyMatch(c -> c.isInstance(reason));
    return badInput ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  private static void print(CommandLine line, String message) {
    PrintWriter err = line.getErr();
    err.println("spyhop: " + firstLine(message));
    err.flush();
  }

  private static Throwable reason(Throwable e) {
    Throwable reason = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    Throwable cause = reason.getCause();
    boolean wrapper = WRAPPERS.stream().anyMatch(c -> c.isInstance(reason));
    return wrapper && cause != null && cause != reason ? reason(cause) : reason;
  }

  private static String message(Throwable reason) {
    String said = reason.getMessage();
    if (reason instanceof TableNotFoundException) {
      return "table '" + said + "' does not exist";
    }
    if (said == null || said.isBlank()) {
      return reason.getClass().getSimpleName();
    }
    return CLASS_NAME.matcher(said).replaceFirst("");
  }

  /** Errors of servers carry their stack trace in their message. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse(message).strip();
  }
}
