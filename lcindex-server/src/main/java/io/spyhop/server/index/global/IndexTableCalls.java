package io.spyhop.server.index.global;

import io.spyhop.core.io.Interruption;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;

/** A connection for asynchronous calls to index tables, made when it is first used. Thread-safe. */
final class IndexTableCalls implements Closeable {
  private final LateConnection<AsyncConnection> connection;
  private final long connectMillis;

  /**
   * @param user the owner of index tables
   * @param connectMillis how long a caller waits for the connection
   */
  IndexTableCalls(Configuration conf, User user, long connectMillis) {
    this.connection =
        new LateConnection<>(() -> ConnectionFactory.createAsyncConnection(conf, user));
    this.connectMillis = connectMillis;
  }

  /** The connection; stays open. */
  AsyncConnection connection() throws IOException {
    return connection.get(connectMillis);
  }

  /**
   * After a failure regions are looked up again. HBase's asynchronous client goes on asking a
   * server that says that it has the region no more, if nothing was written there
   * (docs/decisions/0007).
   */
  <T> CompletableFuture<T> relocating(TableName indexTable, CompletableFuture<T> call)
      throws IOException {
    AsyncConnection open = connection();
    return call.whenComplete(
        (ok, failure) -> {
          if (failure != null) {
            open.getRegionLocator(indexTable).clearRegionLocationCache();
          }
        });
  }

  /**
   * Waits for a call, which is cancelled when it takes too long.
   *
   * @param what the call does, for the error
   * @throws IOException with the call's own failure as its cause, so that callers can tell
   */
  static <T> T await(CompletableFuture<T> call, long millis, String what) throws IOException {
    try {
      return call.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException("cannot " + what + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      call.cancel(true);
      throw new IOException("cannot " + what + " within " + millis + " ms", e);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted: " + what, e);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
