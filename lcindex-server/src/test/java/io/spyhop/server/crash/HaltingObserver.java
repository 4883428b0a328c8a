package io.spyhop.server.crash;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Ends the server's process amid the write of a marked put: after all that observers do for it,
 * when it is about to be logged. It comes before Spyhop's own observer, which believes no index
 * where one comes later.
 */
public class HaltingObserver implements RegionCoprocessor, RegionObserver {
  private static final String MARK = "halts";
  private static final int STATUS = 137;

  /** Whether this thread writes a marked put. */
  private final ThreadLocal<Boolean> marked = ThreadLocal.withInitial(() -> false);

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /**
   * Marks a put.
   *
   * @param server the only one that is to die of it, by its full name: not the next one that the
   *     put is sent to
   */
  static Put mark(Put put, String server) {
    put.setAttribute(MARK, Bytes.toBytes(server));
    return put;
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    String server = c.getEnvironment().getServerName().toString();
    marked.set(false);
    for (int i = 0; i < batch.size(); i++) {
      byte[] mark = batch.getOperation(i).getAttribute(MARK);
      if (mark != null && Bytes.toString(mark).equals(server)) {
        marked.set(true);
      }
    }
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, WALKey key, WALEdit edit) {
    if (marked.get()) {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
