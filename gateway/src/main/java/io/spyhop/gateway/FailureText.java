package io.spyhop.gateway;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.ipc.RemoteException;

/** Failures of HBase and its client as one line for users. Stateless. */
public final class FailureText {
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

  private FailureText() {}

  /** The exception that says what failed. */
  public static Throwable reason(Throwable e) {
    Throwable reason = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    Throwable cause = reason.getCause();
    boolean wrapper = WRAPPERS.stream().anyMatch(c -> c.isInstance(reason));
    return wrapper && cause != null && cause != reason ? reason(cause) : reason;
  }

  /**
   * One line for users.
   *
   * @param reason as {@link #reason} has it
   */
  public static String of(Throwable reason) {
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
  public static String firstLine(String message) {
    return message.lines().findFirst().orElse(message).strip();
  }
}
