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
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.ipc.RemoteException;
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

  /** Exceptions that say where something failed, not what; what is in their cause. */
  private static final List<Class<? extends Exception>> WRAPPERS =
      List.of(
          UncheckedIOException.class, ExecutionException.class, RetriesExhaustedException.class);

  private static final Pattern CLASS_NAMES =
      Pattern.compile("^(([a-z]\\w*\\.)+[A-Z][\\w$]*(Exception|Error): )+");

  /** What was asked is no ZooKeeper, not one of an HBase, or does not answer. */
  private static final Pattern ZOOKEEPER =
      Pattern.compile("^(KeeperErrorCode = |Zookeeper \\w+ could not be completed)");

  /** A server has not Spyhop's endpoint. */
  private static final Pattern ENDPOINT = Pattern.compile("^No registered .* found for spyhop\\.");

  /** All that HBase says of what it does not find, in most cases. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[\\w.:-]+");

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
    Throwable reason = reason(e);
    print(line, message(reason));
    if (stacktrace) {
      e.printStackTrace(line.getErr());
    }
    boolean badInput = BAD_INPUT.stream().anyMatch(c -> c.isInstance(reason));
    return badInput ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** One line on standard error. */
  static void print(CommandLine line, String message) {
    PrintWriter err = line.getErr();
    err.println("spyhop: " + firstLine(message));
    err.flush();
  }

  /** Lines on standard error about what is done all the same. */
  static void warn(CommandLine line, List<String> warnings) {
    warnings.forEach(w -> print(line, "warning: " + w));
  }

  private static Throwable reason(Throwable e) {
    Throwable reason = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    Throwable cause = reason.getCause();
    boolean wrapper = WRAPPERS.stream().anyMatch(c -> c.isInstance(reason));
    return wrapper && cause != null && cause != reason ? reason(cause) : reason;
  }

  private static String message(Throwable reason) {
    if (reason.getMessage() == null || reason.getMessage().isBlank()) {
      return reason.getClass().getSimpleName();
    }
    String said = firstLine(CLASS_NAMES.matcher(reason.getMessage()).replaceFirst(""));
    if (PLAIN_NAME.matcher(said).matches()) {
      if (reason instanceof TableNotFoundException) {
        return "table '" + said + "' does not exist; check the name and its namespace";
      }
      if (reason instanceof NamespaceNotFoundException) {
        return "namespace '" + said + "' does not exist; create it, or use another one";
      }
    }
    if (ENDPOINT.matcher(said).find()) {
      return "a server does not run Spyhop: put its jar into HBase's lib/ and the properties of"
          + " conf/hbase-site-spyhop.xml into hbase-site.xml there, and restart it; 'spyhop doctor'"
          + " says which";
    }
    if (ZOOKEEPER.matcher(said).find()) {
      return said + ". Does HBase run there? Say where its ZooKeeper is with --zookeeper or --conf";
    }
    return said;
  }

  /** Errors of servers carry their stack trace in their message. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse(message).strip();
  }
}
