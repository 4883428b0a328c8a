package io.spyhop.jdbc;

import io.spyhop.client.QueryCancelledException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;

/**
 * A query in a loop: its rows are read once for each time that the statement is run, and kept until
 * it is run again. As a statement, for one thread at a time; code that Calcite makes calls it.
 */
public final class KeptReads {
  private final Function<DataContext, Enumerable<Object>> query;
  private WeakReference<DataContext> run = new WeakReference<>(null);
  private Enumerable<Object> rows;
  private long begin;

  KeptReads(Function<DataContext, Enumerable<Object>> query) {
    this.query = query;
  }

  /**
   * The rows, for one more row of the loop.
   *
   * @param context of the run
   * @throws RefusedException if the statement was cancelled
   * @throws UncheckedIOException if its time is over
   */
  public Enumerable<Object> rows(DataContext context) {
    if (run.get() != context) {
      run = new WeakReference<>(context);
      begin = System.nanoTime();
      rows = KeptRows.of(query.apply(context));
    }
    requireWanted(context);
    return rows;
  }

  private void requireWanted(DataContext context) {
    AtomicBoolean cancelled = DataContext.Variable.CANCEL_FLAG.get(context);
    if (cancelled != null && cancelled.get()) {
      throw new RefusedException("the statement was cancelled");
    }
    Object time = context.get(DataContext.Variable.TIMEOUT.camelName);
    if (time instanceof Long millis
        && millis > 0
        && System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(millis)) {
      throw new UncheckedIOException(
          new QueryCancelledException("it was not answered within " + millis + " ms"));
    }
  }
}
