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

/**
 * Ends the server's process amid the write of a marked put: after all that other observers do for
 * it, before the region does anything. In the table's descriptor and with the lowest priority it
 * comes after Spyhop's own observer, which has the lowest too but is loaded before.
 */
public class HaltingObserver implements RegionCoprocessor, RegionObserver {
  private static final String MARK = "halts";
  private static final int STATUS = 137;

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
    for (int i = 0; i < batch.size(); i++) {
      byte[] mark = batch.getOperation(i).getAttribute(MARK);
      if (mark != null && Bytes.toString(mark).equals(server)) {
        Runtime.getRuntime().halt(STATUS);
      }
    }
  }
}
