package io.spyhop.client;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the rows of a query to a consumer: a thread of an executor reads them until the consumer
 * suspends, and another one goes on when it resumes. Thread-safe; one thread at a time reads.
 */
final class RowDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(RowDelivery.class);
  private static final String CANCELLED = "its future was cancelled";

  private final Cancellation.Reading<RowCursor> query;
  private final Cancellation opening;
  private final AdvancedScanResultConsumer consumer;
  private final Executor executor;
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** Null until it is opened; only the thread that reads sets it. */
  private volatile RowCursor cursor;

  private Iterator<Result> rows;

  /** What stops the reading until it is resumed; null while it goes on. Guarded by this. */
  private Suspension suspended;

  /** Null until the time is up. Guarded by this. */
  private QueryCancelledException late;

  RowDelivery(
      Cancellation.Reading<RowCursor> query,
      ScanPool pool,
      AdvancedScanResultConsumer consumer,
      Executor executor) {
    this.query = query;
    this.opening = new Cancellation(pool, Optional.empty());
    this.consumer = consumer;
    this.executor = executor;
  }

  /** Begins; the future is done when the consumer knows of the end. */
  @SuppressWarnings("FutureReturnValueIgnored") // What comes after the end cannot fail.
  CompletableFuture<Void> start() {
    end.whenComplete((nothing, e) -> cancelIfCancelled());
    goOn();
    return end;
  }

  private void goOn() {
    try {
      executor.execute(this::run);
    } catch (RuntimeException e) {
      failed(reason(e));
    }
  }

  /** Why a query ends that the executor does not take. */
  private synchronized Exception reason(RuntimeException refusal) {
    if (end.isDone()) {
      return new QueryCancelledException(CANCELLED);
    }
    return late == null ? refusal : late;
  }

  private void run() {
    try {
      open();
      boolean more = true;
      while (more && hasNext()) {
        Call call = new Call();
        consumer.onNext(new Result[] {rows.next()}, call);
        call.over();
        more = !call.terminated;
        if (waits(call)) {
          return;
        }
      }
      close();
    } catch (Throwable e) { // a consumer's may be any
      failed(e);
      return;
    }
    try {
      consumer.onComplete();
      end.complete(null);
    } catch (Throwable e) {
      end.completeExceptionally(e);
    }
  }

  private boolean hasNext() throws IOException {
    cancelIfCancelled();
    try {
      return rows.hasNext();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void open() throws IOException {
    if (cursor == null) {
      try {
        RowCursor opened = opening.read(query);
        opened.whenLate(this::late);
        rows = opened.iterator();
        cursor = opened;
      } finally {
        opening.close(RowStream.empty());
      }
    }
  }

  private void failed(Throwable why) {
    close();
    try {
      consumer.onError(why);
    } catch (Throwable e) {
      LOG.warn("A consumer of rows fails when it is told that its query has failed", e);
    }
    end.completeExceptionally(why);
  }

  private void close() {
    if (cursor != null) {
      cursor.close();
    }
  }

  /** Whether the reading is left to who resumes. */
  private synchronized boolean waits(Call call) {
    boolean ends = end.isDone() || late != null;
    boolean waits = call.suspension != null && !call.suspension.resumed && !ends;
    suspended = waits ? call.suspension : null;
    return waits;
  }

  /**
   * The time is up: if the query is suspended, nothing is read any more, and a thread of the
   * executor tells the consumer. Otherwise who reads finds that out, after a call of the consumer.
   */
  private void late(QueryCancelledException why) {
    Suspension waiting;
    synchronized (this) {
      late = why;
      waiting = suspended;
    }
    if (waiting != null && waiting.end()) {
      close();
      goOn();
    }
  }

  private void cancelIfCancelled() {
    if (!end.isDone()) {
      return;
    }
    opening.cancel(CANCELLED);
    if (cursor != null) {
      cursor.cancel();
    }
    Suspension waiting;
    synchronized (this) {
      waiting = suspended;
    }
    if (waiting != null) {
      waiting.resume();
    }
  }

  /** The control that a consumer has while it is given a row, to be used once. */
  private final class Call implements AdvancedScanResultConsumer.ScanController {
    private boolean used;
    private boolean terminated;
    private Suspension suspension;

    @Override
    public synchronized void terminate() {
      use();
      terminated = true;
    }

    @Override
    public synchronized AdvancedScanResultConsumer.ScanResumer suspend() {
      use();
      suspension = new Suspension();
      return suspension;
    }

    /** None: no query asks for cursors. */
    @Override
    public Optional<Cursor> cursor() {
      return Optional.empty();
    }

    private void use() {
      if (used) {
        throw new IllegalStateException(
            "the controller of a row can be used once, while onNext has the row");
      }
      used = true;
    }

    /** The consumer has taken the row. */
    synchronized void over() {
      used = true;
    }
  }

  /** Ends when it is resumed, during the call in which it began or later. */
  private final class Suspension implements AdvancedScanResultConsumer.ScanResumer {
    /** Guarded by the delivery. */
    private boolean resumed;

    @Override
    public void resume() {
      if (end()) {
        goOn();
      }
    }

    /** Whether the reading waited for it until now, and has to go on. */
    boolean end() {
      synchronized (RowDelivery.this) {
        boolean waiting = !resumed && suspended == this;
        resumed = true;
        suspended = waiting ? null : suspended;
        return waiting;
      }
    }
  }
}
