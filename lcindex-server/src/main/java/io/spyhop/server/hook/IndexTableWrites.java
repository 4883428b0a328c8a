package io.spyhop.server.hook;

import io.spyhop.server.global.RemovalGuard;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hook of a region of an index table before writes. Thread-safe. */
final class IndexTableWrites {
  private static final Logger LOG = LoggerFactory.getLogger(IndexTableWrites.class);

  private final TableName table;
  private final RemovalGuard guard;

  IndexTableWrites(TableName table, RemovalGuard guard) {
    this.table = table;
    this.guard = guard;
  }

  /** A batch is about to be written, its rows locked. */
  void batch(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    try {
      guard.check(table, batch);
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      LOG.error("Checking a write to {} failed in Spyhop", table, t);
      throw new DoNotRetryIOException("Spyhop: cannot check a write to '" + table + "': " + t, t);
    }
  }
}
