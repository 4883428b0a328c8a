package io.spyhop.bench;

import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Runs tasks side by side and waits for all of them. */
public final class Parallel {
  private Parallel() {}

  /**
   * The results in the order of the tasks.
   *
   * @throws IOException the first failure in that order; the other tasks are cancelled
   */
  public static <T> List<T> all(ExecutorService pool, List<? extends Callable<T>> tasks)
      throws IOException {
    List<Future<T>> futures = new ArrayList<>();
    try {
      for (Callable<T> task : tasks) {
        futures.add(pool.submit(task));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(get(future));
      }
      return results;
    } finally {
      futures.forEach(f -> f.cancel(true));
    }
  }

  /**
   * What became of a task.
   *
   * @throws IOException if it failed
   */
  public static <T> T get(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting for a task", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException("a parallel task failed: " + e.getCause(), e.getCause());
    }
  }
}
