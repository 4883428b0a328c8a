package io.spyhop.client;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;

/**
 * Queries one table by value and lets no caller wait, in the style of HBase's {@link
 * org.apache.hadoop.hbase.client.AsyncTable}. The answers are those of {@link IndexedTable}.
 *
 * <p>A query that runs has a thread of the executor; one that its consumer suspends has none.
 * Whatever goes wrong, a bad query included, is told by the future: of a failure {@code join()}
 * throws a {@link java.util.concurrent.CompletionException} whose cause is what {@link
 * IndexedTable} throws. Where the executor takes no task, that is its {@link
 * java.util.concurrent.RejectedExecutionException}; of tasks that it has taken and forgets, as
 * after {@code shutdownNow()}, nobody is told. A future that is cancelled ends its query, also
 * while that waits for a server, but not a call of the consumer. Thread-safe.
 */
public final class AsyncIndexedTable {
  private final IndexedTable table;
  private final ScanPool pool;
  private final Executor executor;

  AsyncIndexedTable(IndexedTable table, ScanPool pool, Executor executor) {
    this.table = table;
    this.pool = pool;
    this.executor = executor;
  }

  /** The table's name. */
  public TableName name() {
    return table.name();
  }

  /**
   * Hands the rows of a query to a consumer as they come, in the query's order: one at a time, from
   * one thread at a time. The consumer may {@code suspend()} and end the query ({@code
   * terminate()}) by what it is given with each row; what {@code suspend()} returns resumes it, in
   * any thread. It learns of the end by {@code onComplete} or {@code onError}, one of them, once,
   * and nothing after that; heartbeats and scan metrics it is not told of.
   *
   * <p>Suspended, the query holds what was read ahead until it is resumed or its time is up. The
   * time closes its scanners, and {@code onError} comes from a thread of the executor; resuming has
   * no effect then. It does not end a query whose {@code limit} of rows was handed out.
   *
   * @param consumer if {@code onNext} throws, the query ends with that as its error; if {@code
   *     onComplete} does, the future does
   * @return done when the consumer has been told of the end; to be cancelled from any thread, then
   *     the consumer's error is a {@link QueryCancelledException}
   */
  public CompletableFuture<Void> query(Query query, AdvancedScanResultConsumer consumer) {
    Objects.requireNonNull(consumer, "the consumer is null");
    return new RowDelivery(() -> table.query(query), pool, consumer, executor).start();
  }

  /** All rows of a query. They have to fit into memory. */
  public CompletableFuture<List<Result>> queryAll(Query query) {
    return call(
        () -> {
          List<Result> rows = new ArrayList<>();
          try (RowCursor cursor = table.query(query)) {
            cursor.forEach(rows::add);
          }
          return rows;
        });
  }

  /** One page of a query's rows, as {@link IndexedTable#page}. */
  public CompletableFuture<RowPage> page(Query query, int rows, Optional<String> token) {
    return call(() -> table.page(query, rows, token));
  }

  /** Aggregates of a query's rows, as {@link IndexedTable#aggregate}. */
  public CompletableFuture<AggregateResult> aggregate(Query query, Aggregation aggregation) {
    return call(() -> table.aggregate(query, aggregation));
  }

  /** What a query would do, as {@link IndexedTable#explain}. */
  public CompletableFuture<QueryPlan> explain(Query query) {
    return call(() -> table.explain(query));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What comes after the answer cannot fail.
  private <T> CompletableFuture<T> call(Cancellation.Reading<T> reading) {
    Cancellation cancellation = new Cancellation(pool, Optional.empty());
    CompletableFuture<T> answer = new CompletableFuture<>();
    answer.whenComplete((a, e) -> cancellation.cancel("its future was completed"));
    try {
      executor.execute(() -> read(reading, cancellation, answer));
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private static <T> void read(
      Cancellation.Reading<T> reading, Cancellation cancellation, CompletableFuture<T> answer) {
    T read = null;
    Throwable failure = null;
    try {
      read = cancellation.read(reading);
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    } catch (Throwable e) {
      failure = e;
    }
    cancellation.close(RowStream.empty());
    if (failure == null) {
      answer.complete(read);
    } else {
      answer.completeExceptionally(failure);
    }
  }
}
