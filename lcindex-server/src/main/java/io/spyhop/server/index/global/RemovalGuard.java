package io.spyhop.server.index.global;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * Admits deletes of entries to a region server that carry a fence which names this server and has
 * not run out by its clock. A delete whose sender has given it up, unlocked its rows or lost its
 * region comes too late and would mask an entry that was written again since (correctness rule 26,
 * docs/decisions/0023). Thread-safe.
 */
public final class RemovalGuard {
  private final Supplier<String> server;
  private final LongSupplier nanos;

  /**
   * @param server this server with its start code
   * @param nanos its monotonic clock
   */
  public RemovalGuard(Supplier<String> server, LongSupplier nanos) {
    this.server = server;
    this.nanos = nanos;
  }

  /** One that lets no delete pass. */
  public static RemovalGuard closed() {
    return new RemovalGuard(() -> "one without Spyhop", () -> 0);
  }

  /** What this server's clock says. */
  public ServerTime now() {
    return new ServerTime(server.get(), nanos.getAsLong());
  }

  /**
   * Checks a batch for an index table, the rows locked: what passes is made before the locks are
   * released.
   *
   * @throws DoNotRetryIOException if it deletes entries and must not
   */
  public void check(TableName indexTable, MiniBatchOperationInProgress<Mutation> batch)
      throws DoNotRetryIOException {
    for (int i = 0; i < batch.size(); i++) {
      check(indexTable, batch.getOperation(i));
      Mutation[] others = batch.getOperationsFromCoprocessors(i);
      for (int j = 0; others != null && j < others.length; j++) {
        check(indexTable, others[j]);
      }
    }
  }

  private void check(TableName indexTable, Mutation mutation) throws DoNotRetryIOException {
    if (mutation instanceof Delete && mutation.getFamilyCellMap().containsKey(IndexTable.ENTRIES)) {
      check(indexTable, mutation.getAttribute(ServerTime.FENCE));
    }
  }

  private void check(TableName indexTable, byte[] attribute) throws DoNotRetryIOException {
    if (attribute == null) {
      throw refusal(
          indexTable,
          "a delete of entries without a fence: only servers delete entries; use 'verify --repair'"
              + " for entries that point at nothing, or rebuild the index");
    }
    ServerTime fence;
    try {
      fence = ServerTime.decode(attribute);
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException(
          "table '" + indexTable + "' refuses a delete whose fence cannot be read", e);
    }
    ServerTime now = now();
    if (!fence.server().equals(now.server())) {
      throw refusal(indexTable, "a delete of entries that was meant for server " + fence.server());
    }
    if (fence.isBefore(now.nanos())) {
      throw refusal(
          indexTable,
          "a delete of entries that is "
              + (now.nanos() - fence.nanos()) / 1_000_000
              + " ms late; it is tried again");
    }
  }

  private static DoNotRetryIOException refusal(TableName indexTable, String what) {
    return new DoNotRetryIOException("table '" + indexTable + "' refuses " + what);
  }
}
