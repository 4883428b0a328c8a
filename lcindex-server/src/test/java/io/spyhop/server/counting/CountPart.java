package io.spyhop.server.counting;

import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.server.index.RegionPart;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/** A kind that lives in the tests: counts the mutations of a region, and falls over some rows. */
final class CountPart implements RegionPart {
  static final String NAME = "count";
  static final String POISON = "poison";

  private final LongAdder written = new LongAdder();
  private final LongAdder failed = new LongAdder();

  @Override
  public void write(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (Bytes.toString(batch.getOperation(i).getRow()).equals(POISON)) {
        throw new IllegalStateException("a row that the count cannot stand");
      }
      written.increment();
    }
  }

  @Override
  public void unwritten(Throwable failure) {
    failed.increment();
  }

  @Override
  public List<IndexState> states() {
    return List.of(new IndexState(NAME, 1, 0, 0, written.sum(), failed.sum(), 0, 0, 0, 0, 0, ""));
  }
}
