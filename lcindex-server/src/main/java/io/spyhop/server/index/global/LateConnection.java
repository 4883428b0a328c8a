package io.spyhop.server.index.global;

import io.spyhop.core.io.Interruption;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is made when it is first asked for, and closed when it is there, however late
 * that is: a caller that has no more time to wait leaves it to the next one. Thread-safe.
 */
final class LateConnection<T extends Closeable> implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LateConnection.class);

  private final Supplier<CompletableFuture<T>> opener;
  private CompletableFuture<T> connection;
  private boolean closed;

  LateConnection(Supplier<CompletableFuture<T>> opener) {
    this.opener = opener;
  }

  /**
   * The connection, which stays open.
   *
   * @param millis how long to wait for it
   * @throws IOException if it is not there by then, or cannot be made; the next call tries again
   */
  T get(long millis) throws IOException {
    try {
      return connecting().get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException("cannot connect to index tables: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("cannot connect to index tables within " + millis + " ms", e);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted: connecting to index tables", e);
    }
  }

  private synchronized CompletableFuture<T> connecting() throws IOException {
    if (closed) {
      throw new InterruptedIOException("the server stops");
    }
    if (connection == null || connection.isCompletedExceptionally()) {
      connection = opener.get();
    }
    return connection;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  @Override
  public synchronized void close() {
    closed = true;
    if (connection != null) {
      connection.thenAccept(LateConnection::close);
    }
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOG.warn("Closing a connection to index tables failed", e);
    }
  }
}
