package io.spyhop.server.model;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Batches that write a few rows many times, at few timestamps, and whose operations fare
 * differently: they fail, are bypassed, or are not in the log.
 */
final class Batches {
  private static final int ROWS = 3;
  private static final byte[] UNKNOWN = Bytes.toBytes("unknown");
  private static final Durability[] DURABILITIES = {
    Durability.USE_DEFAULT, Durability.SKIP_WAL, Durability.SKIP_WAL, Durability.ASYNC_WAL
  };

  private final ModelTable model;

  Batches(ModelTable model) {
    this.model = model;
  }

  /** Operations that fail or are bypassed, by an observer before Spyhop's or one after it. */
  void failing(Random r) throws IOException {
    int priority = r.nextBoolean() ? Coprocessor.PRIORITY_HIGHEST : Coprocessor.PRIORITY_LOWEST;
    List<Mutation> batch = draw(r);
    for (Mutation m : batch) {
      switch (r.nextInt(4)) {
        case 0 -> {
          if (m instanceof Put put) {
            put.addColumn(UNKNOWN, UNKNOWN, UNKNOWN);
          }
        }
        case 1 -> m.setAttribute(Bypass.MARK, UNKNOWN);
        default -> {
          // is stored
        }
      }
    }
    observe(priority);
    try {
      write(batch);
    } finally {
      observeNoMore();
    }
  }

  /** Operations of which some are lost with their server. */
  void unlogged(Random r) throws IOException {
    List<Mutation> batch = draw(r);
    batch.forEach(m -> m.setDurability(DURABILITIES[r.nextInt(DURABILITIES.length)]));
    write(batch);
  }

  private List<Mutation> draw(Random r) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(Operation.row(r));
    }
    List<Mutation> batch = new ArrayList<>();
    for (int n = 2 + r.nextInt(8); n > 0; n--) {
      byte[] row = rows.get(r.nextInt(ROWS));
      batch.add(r.nextInt(6) == 0 ? delete(row, r) : Operation.put(row, r, r.nextBoolean()));
    }
    return model.repeatsCells() ? batch : new ArrayList<>(ModelTable.lastOfEachRow(batch));
  }

  private static Delete delete(byte[] row, Random r) {
    Column c = Column.values()[r.nextInt(Column.values().length)];
    return r.nextBoolean()
        ? new Delete(row).addColumns(c.family(), c.qualifier())
        : new Delete(row).addColumn(c.family(), c.qualifier(), 1_000_000L + r.nextInt(5));
  }

  private void write(List<Mutation> batch) throws IOException {
    try {
      model.table().batch(batch, new Object[batch.size()]);
    } catch (RetriesExhaustedWithDetailsException e) {
      for (Throwable cause : e.getCauses()) {
        if (!(cause instanceof NoSuchColumnFamilyException)) {
          throw e;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("a batch").initCause(e);
    }
  }

  private void observe(int priority) throws IOException {
    for (HRegion region : model.cluster().regions(model.name())) {
      region.getCoprocessorHost().load(Bypass.class, priority, region.getReadOnlyConfiguration());
    }
  }

  /** While the observer is there, statistics are unknown, as nobody can tell what it does. */
  private void observeNoMore() throws IOException {
    for (HRegion region : model.cluster().regions(model.name())) {
      Object env = region.getCoprocessorHost().findCoprocessorEnvironment(Bypass.class.getName());
      try {
        Field loaded = CoprocessorHost.class.getDeclaredField("coprocEnvironments");
        loaded.setAccessible(true);
        ((List<?>) loaded.get(region.getCoprocessorHost())).remove(env);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("HBase keeps its coprocessors elsewhere", e);
      }
    }
  }

  /** Leaves out operations that are marked. */
  public static final class Bypass implements RegionCoprocessor, RegionObserver {
    static final String MARK = "bypass";

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> c,
        MiniBatchOperationInProgress<Mutation> batch) {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.getOperation(i).getAttribute(MARK) != null) {
          batch.setOperationStatus(i, new OperationStatus(OperationStatusCode.SUCCESS));
        }
      }
    }
  }
}
