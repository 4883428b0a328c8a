package io.spyhop.client.internal.exec;

import com.google.common.base.Throwables;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Does several things at the same time, the first one in the caller's thread and so does those that
 * no thread of the pool has begun. Stateless.
 */
public final class SideBySide {
  private SideBySide() {}

  /**
   * The results of all, in the order of the things.
   *
   * @throws IOException the first failure, or if the thread is interrupted; the others end soon
   */
  public static <T, R> List<R> all(ScanPool pool, List<T> things, IoFunction<T, R> work)
      throws IOException {
    if (things.size() < 2) {
      List<R> one = new ArrayList<>();
      for (T thing : things) {
        one.add(work.apply(thing));
      }
      return one;
    }
    List<FutureTask<R>> tasks =
        things.stream().map(t -> new FutureTask<>(() -> work.apply(t))).toList();
    tasks.subList(1, tasks.size()).forEach(pool::offer);
    try {
      List<R> results = new ArrayList<>();
      for (FutureTask<R> task : tasks) {
        task.run();
        results.add(task.get());
      }
      return results;
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting for calls", e);
    } catch (ExecutionException e) {
      Throwables.throwIfInstanceOf(e.getCause(), IOException.class);
      Throwables.throwIfUnchecked(e.getCause());
      throw new IOException(e.getCause());
    } finally {
      tasks.forEach(t -> t.cancel(true));
    }
  }
}
