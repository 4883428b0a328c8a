package io.spyhop.client.internal.admin;

import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a master again when it died, or took too long, before it had an answer. Stateless. */
final class Retry {
  private static final Logger LOG = LoggerFactory.getLogger(Retry.class);
  private static final Duration STEP = Duration.ofSeconds(1);

  private Retry() {}

  /** The outcome of the last attempt: its failure, or empty. */
  private record Outcome(Optional<IOException> failure) {}

  /**
   * Asks until there is an answer or a refusal. The reading must have no other effect when it is
   * asked again.
   *
   * @param what is asked, for messages
   * @throws DoNotRetryIOException the refusal
   * @throws InterruptedIOException if this thread was interrupted
   * @throws TimeoutIOException if there is no answer within that time; the cause is the last
   *     failure
   */
  static void until(Poll poll, Duration limit, String what, IoSupplier<?> reading)
      throws IOException {
    Outcome last =
        poll.until(limit, STEP, () -> attempt(what, reading), o -> o.failure().isEmpty());
    if (last.failure().isPresent()) {
      throw (TimeoutIOException)
          new TimeoutIOException(
                  what
                      + " has not ended after "
                      + limit.toSeconds()
                      + " s; the master goes on with it. Look at the status of the table's"
                      + " indexes, and ask again if it does not come: "
                      + last.failure().get().getMessage())
              .initCause(last.failure().get());
    }
  }

  private static Outcome attempt(String what, IoSupplier<?> reading) throws IOException {
    try {
      reading.get();
      return new Outcome(Optional.empty());
    } catch (IOException e) {
      if (isFinal(e)) {
        throw e;
      }
      LOG.info("{} has not ended yet, asking again: {}", what, e.toString());
      return new Outcome(Optional.of(e));
    }
  }

  private static boolean isFinal(IOException e) {
    if (e instanceof RemoteWithExtrasException remote && remote.isDoNotRetry()) {
      return true;
    }
    IOException cause = e instanceof RemoteException r ? r.unwrapRemoteException() : e;
    boolean interrupted =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    return cause instanceof DoNotRetryIOException
        || interrupted && Thread.currentThread().isInterrupted();
  }
}
