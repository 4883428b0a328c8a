package io.spyhop.client.internal.global;

import com.google.common.base.Throwables;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.ipc.RemoteException;

/** Tells an index that does not want to answer from one that cannot be reached. Stateless. */
public final class Refusals {
  /** What stands before a message where an exception was printed into it. */
  private static final Pattern CLASS =
      Pattern.compile("(?<![\\w.])(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error): ");

  private Refusals() {}

  /** Whether a server has understood and refused, so that asking again is of no use. */
  static boolean isRefusal(Throwable failure) {
    Throwable e = unwrapped(failure);
    return e instanceof DoNotRetryIOException;
  }

  /** What a failure says, in one line and without names of classes before it. */
  public static String text(Throwable failure) {
    Throwable e = unwrapped(failure);
    String said = e.getMessage() == null ? e.toString() : e.getMessage();
    return CLASS.matcher(said.lines().findFirst().orElse("")).replaceAll("").strip();
  }

  /** The first of a kind in a failure's chain of causes, as it is behind what wraps it. */
  public static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> kind) {
    return Throwables.getCausalChain(failure).stream()
        .map(Refusals::unwrapped)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst();
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
  }
}
