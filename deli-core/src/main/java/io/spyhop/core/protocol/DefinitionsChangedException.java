package io.spyhop.core.protocol;

import java.io.PrintStream;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * A region's refusal of a query that was bound by definitions which the table has no more. The
 * client library binds such a query again, so that nothing has failed.
 */
public final class DefinitionsChangedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** HBase's client makes it of what a server sends. */
  public DefinitionsChangedException(String message) {
    super(message);
  }

  /**
   * One line: HBase's client prints whatever a scan fails with to standard error before it throws
   * it, and a server's exception has the server's stack trace in its message.
   */
  @Override
  public void printStackTrace(PrintStream to) {
    to.println(toString().lines().findFirst().orElse(""));
  }

  /** The refusal behind what a client caught, if it is one. */
  public static Optional<Throwable> in(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      boolean remote =
          t instanceof RemoteException r
              && DefinitionsChangedException.class.getName().equals(r.getClassName());
      if (remote || t instanceof DefinitionsChangedException) {
        return Optional.of(t);
      }
    }
    return Optional.empty();
  }
}
