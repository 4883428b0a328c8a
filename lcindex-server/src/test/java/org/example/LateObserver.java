package org.example;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Observers that change what is written to column {@code f:v}, one by each hook that can. */
public abstract class LateObserver implements RegionCoprocessor, RegionObserver {
  /** The value that they write. */
  public static final long LATE = 1_000;

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("v");

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /** Changes nothing. */
  public static final class OfNothing extends LateObserver {}

  /** Adds a put to each put. */
  public static final class OfBatches extends LateObserver {
    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> c,
        MiniBatchOperationInProgress<Mutation> batch)
        throws IOException {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.getOperation(i) instanceof Put put) {
          Put added = new Put(put.getRow());
          added.addColumn(FAMILY, QUALIFIER, LATE, Bytes.toBytes(LATE));
          batch.addOperationsFromCP(i, new Mutation[] {added});
        }
      }
    }
  }

  /** Changes what increments result in. */
  public static final class OfIncrements extends LateObserver {
    @Override
    public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
        ObserverContext<RegionCoprocessorEnvironment> c,
        Mutation mutation,
        List<Pair<Cell, Cell>> cells) {
      return late(mutation, cells);
    }
  }

  /** Changes what appends result in. */
  public static final class OfAppends extends LateObserver {
    @Override
    public List<Pair<Cell, Cell>> postAppendBeforeWAL(
        ObserverContext<RegionCoprocessorEnvironment> c,
        Mutation mutation,
        List<Pair<Cell, Cell>> cells) {
      return late(mutation, cells);
    }
  }

  private static List<Pair<Cell, Cell>> late(Mutation mutation, List<Pair<Cell, Cell>> cells) {
    return cells.stream()
        .map(
            p ->
                new Pair<Cell, Cell>(
                    p.getFirst(),
                    new KeyValue(
                        mutation.getRow(),
                        FAMILY,
                        QUALIFIER,
                        p.getSecond().getTimestamp(),
                        Bytes.toBytes(LATE))))
        .toList();
  }
}
