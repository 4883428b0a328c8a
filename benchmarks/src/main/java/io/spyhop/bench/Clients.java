package io.spyhop.bench;

import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.io.IoSupplier;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs clients that do the same again and again, once at least, each on a thread of its own, until
 * they are told to end. Thread-safe, but for starting them.
 */
public final class Clients implements Closeable {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<Void>> running = new ArrayList<>();
  private volatile boolean over;

  /** Starts a client. */
  public Clients start(IoRunnable step) {
    return start(() -> () -> {}, nothing -> step.run());
  }

  /** Starts a client with something of its own, which it closes in the end. */
  public <T extends Closeable> Clients start(IoSupplier<T> opener, IoConsumer<T> step) {
    Callable<Void> client =
        () -> {
          try (T opened = opener.get()) {
            do {
              step.accept(opened);
            } while (!over);
          }
          return null;
        };
    running.add(threads.submit(client));
    return this;
  }

  /**
   * Has all end, and waits for them.
   *
   * @throws IOException if one has failed
   */
  public void finish() throws IOException {
    over = true;
    for (Future<Void> client : running) {
      Parallel.get(client);
    }
  }

  @Override
  public void close() {
    over = true;
    threads.shutdownNow();
  }
}
