package io.spyhop.server.model;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.hook.Globals;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Everything that repairs, over and over, until this is closed. */
final class RepairBeside implements AutoCloseable {
  private final AtomicBoolean stop = new AtomicBoolean();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final Future<Void> repairs;

  RepairBeside(ModelTable model) {
    this.repairs = pool.submit(() -> repair(model));
    pool.shutdown();
  }

  private Void repair(ModelTable model) throws IOException {
    while (!stop.get()) {
      for (IndexDefinition d : model.globals().definitions()) {
        model.globals().spyhop().admin().verify(model.name(), d.name(), true);
      }
      Globals.drain(model.cluster());
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    stop.set(true);
    try {
      repairs.get();
    } catch (ExecutionException e) {
      throw new IOException("repair beside a load", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
