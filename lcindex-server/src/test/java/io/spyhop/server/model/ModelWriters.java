package io.spyhop.server.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Two threads of another client that add rows of their own, each once, until this is closed; then
 * their rows are deleted.
 */
final class ModelWriters implements AutoCloseable {
  private static final int MOST = 40;

  private final ModelTable model;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final Queue<byte[]> rows = new ConcurrentLinkedQueue<>();
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final List<Future<Void>> writers = new ArrayList<>();

  ModelWriters(ModelTable model, long seed) {
    this.model = model;
    for (int i = 0; i < 2; i++) {
      Random r = new Random(seed + i);
      String suffix = "-" + seed + "-" + i;
      writers.add(pool.submit(() -> write(r, suffix)));
    }
    pool.shutdown();
  }

  private Void write(Random r, String suffix) throws IOException {
    try (Table table = model.cluster().connection().getTable(model.name())) {
      for (int i = 0; i < MOST && !stop.get(); i++) {
        byte[] row = Bytes.toBytes("r" + r.nextInt(40) + suffix + "-" + i);
        rows.add(row);
        Put put = new Put(row);
        for (Column c : Column.values()) {
          if (r.nextInt(3) > 0 || c == Column.A) {
            put.addColumn(c.family(), c.qualifier(), c.stored(r));
          }
        }
        table.put(put);
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    stop.set(true);
    try {
      for (Future<Void> writer : writers) {
        writer.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    List<Delete> deletes = new ArrayList<>();
    rows.forEach(row -> deletes.add(new Delete(row)));
    model.table().delete(deletes);
  }
}
