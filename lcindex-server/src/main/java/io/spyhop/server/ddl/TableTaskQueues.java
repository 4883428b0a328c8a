package io.spyhop.server.ddl;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoRunnable;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads that make and drop index tables: one thing after the other for each base table, and
 * base tables side by side, so that one that HBase never finishes holds up no other table's
 * (correctness rule 40). A caller waits for a bounded time: the work itself asks this master, whose
 * threads must not all be waiting. Thread-safe.
 */
final class TableTaskQueues implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TableTaskQueues.class);
  private static final int THREADS = 8;
  private static final int MAX_WAITING = 1_000;
  private static final long IDLE_SECONDS = 60;

  private final ScheduledThreadPoolExecutor executor;

  /** What waits or runs, by base table and name of the work; the first of each table runs. */
  private final Map<TableName, LinkedHashMap<String, FutureTask<Void>>> lanes = new HashMap<>();

  private int waiting;

  /** What waits for its time. */
  private final Set<Planned> planned = ConcurrentHashMap.newKeySet();

  private record Planned(TableName base, String what) {}

  TableTaskQueues() {
    executor =
        new ScheduledThreadPoolExecutor(
            THREADS,
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("spyhop-ddl-%d").build());
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
  }

  /**
   * Does work in a base table's lane and waits for its end. The same work that waits or runs
   * already is not done twice: who asks again waits for it.
   *
   * @param what names the work, for messages and to tell whether it is the same
   * @throws IOException what the work throws, or if it takes longer; it then goes on
   */
  void run(TableName base, String what, Duration limit, IoRunnable work) throws IOException {
    FutureTask<Void> done = submit(base, what, work);
    try {
      done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(what + ": " + e, e);
    } catch (TimeoutException e) {
      throw new IOException(
          what + " takes longer than " + limit.toSeconds() + " s; it goes on in the background", e);
    } catch (InterruptedException e) {
      throw Interruption.of(what, e);
    }
  }

  /**
   * Has work done in a base table's lane some time; its failure is logged. The same work is not
   * planned twice: to ask again and again does not make it tried more often.
   *
   * @param delay how long to wait before
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  void later(TableName base, String what, Duration delay, IoRunnable work) throws IOException {
    Planned one = new Planned(base, what);
    if (!planned.add(one)) {
      return;
    }
    try {
      executor.schedule(
          () -> {
            planned.remove(one);
            quietly(what, () -> submit(base, what, () -> quietly(what, work)));
          },
          delay.toMillis(),
          TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw stopped(what, e);
    }
  }

  private static void quietly(String what, IoRunnable work) {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("{} failed", what, e);
    }
  }

  private FutureTask<Void> submit(TableName base, String what, IoRunnable work) throws IOException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    boolean first;
    synchronized (lanes) {
      LinkedHashMap<String, FutureTask<Void>> lane = lanes.get(base);
      if (lane != null && lane.containsKey(what)) {
        return lane.get(what);
      }
      if (waiting >= MAX_WAITING) {
        throw new IOException(what + ": this master has too much to do, try again later");
      }
      first = lane == null;
      lanes.computeIfAbsent(base, b -> new LinkedHashMap<>()).put(what, task);
      waiting++;
    }
    if (first) {
      start(base, what);
    }
    return task;
  }

  private void start(TableName base, String what) throws IOException {
    try {
      executor.execute(() -> next(base));
    } catch (RejectedExecutionException e) {
      throw stopped(what, e);
    }
  }

  private static IOException stopped(String what, RejectedExecutionException e) {
    return new IOException(what + ": this master stops", e);
  }

  /** Does one thing, and lets the lanes of other tables have the thread before the next. */
  private void next(TableName base) {
    Map.Entry<String, FutureTask<Void>> first;
    synchronized (lanes) {
      first = lanes.get(base).entrySet().iterator().next();
    }
    first.getValue().run();
    boolean more;
    synchronized (lanes) {
      LinkedHashMap<String, FutureTask<Void>> lane = lanes.get(base);
      Iterator<String> names = lane.keySet().iterator();
      names.next();
      names.remove();
      waiting--;
      more = names.hasNext();
      if (!more) {
        lanes.remove(base);
      }
    }
    if (more) {
      quietly(first.getKey(), () -> start(base, first.getKey()));
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
