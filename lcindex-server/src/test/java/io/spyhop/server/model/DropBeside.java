package io.spyhop.server.model;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Drops a local index and creates it again, while others ask; nothing is written. */
final class DropBeside {
  private static final int TIMES = 3;

  private final ModelTable model;
  private final Spyhop spyhop;

  DropBeside(ModelTable model, Spyhop spyhop) {
    this.model = model;
    this.spyhop = spyhop;
  }

  void run(Random r) throws IOException {
    List<IndexDefinition> indexes = model.indexes();
    if (indexes.isEmpty()) {
      return;
    }
    IndexDefinition index = indexes.get(r.nextInt(indexes.size()));
    Checker checker = new Checker(model);
    Random asked = new Random(r.nextLong());
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> asking =
          thread.submit(
              () -> {
                do {
                  checker.throughIndex(asked, indexes);
                } while (!over.get());
                return null;
              });
      for (int i = 0; i < TIMES && !asking.isDone(); i++) {
        spyhop.admin().dropIndex(model.name(), index.name());
        spyhop.admin().createIndex(model.name(), index);
      }
      over.set(true);
      asking.get();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      over.set(true);
      thread.shutdown();
    }
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof AssertionError e) {
      throw new AssertionError("beside a drop of an index: " + e.getMessage(), e);
    }
    return cause instanceof IOException e ? e : new IOException(cause);
  }
}
