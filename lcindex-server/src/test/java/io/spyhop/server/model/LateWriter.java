package io.spyhop.server.model;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An observer behind Spyhop's that adds a value of column A to each put that has none (correctness
 * rule 44): of two values of one cell in one batch memstores keep only one (decision 0007).
 */
public final class LateWriter implements RegionCoprocessor, RegionObserver {
  private static final int VALUES = 9;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperation(i) instanceof Put put
          && !put.has(Column.A.family(), Column.A.qualifier())) {
        long value = Math.floorMod(Arrays.hashCode(put.getRow()), VALUES);
        Put added = new Put(put.getRow());
        added.addColumn(
            Column.A.family(),
            Column.A.qualifier(),
            System.currentTimeMillis(),
            Bytes.toBytes(value));
        batch.addOperationsFromCP(i, new Mutation[] {added});
      }
    }
  }

  static boolean isIn(TableDescriptor table) {
    return table.hasCoprocessor(LateWriter.class.getName());
  }

  static TableDescriptor add(TableDescriptor table) throws IOException {
    return TableDescriptorBuilder.newBuilder(table)
        .setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder(LateWriter.class.getName())
                .setPriority(Coprocessor.PRIORITY_LOWEST)
                .build())
        .build();
  }

  static TableDescriptor remove(TableDescriptor table) {
    return TableDescriptorBuilder.newBuilder(table)
        .removeCoprocessor(LateWriter.class.getName())
        .build();
  }
}
