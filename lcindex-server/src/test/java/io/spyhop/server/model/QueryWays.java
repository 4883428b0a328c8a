package io.spyhop.server.model;

import io.spyhop.client.AsyncIndexedTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryCancelledException;
import io.spyhop.client.RowCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;

/**
 * Reads the rows of a query in one of the ways that a client has: with a cursor, by a consumer that
 * suspends and resumes, and after the same query was ended somewhere, which leaves nothing behind.
 */
final class QueryWays implements AutoCloseable {
  private static final int WAYS = 4;
  private static final int MOST_MILLIS = 20;

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final AtomicLong consumed = new AtomicLong();
  private final AtomicLong cancelled = new AtomicLong();

  ExecutorService executor() {
    return executor;
  }

  /**
   * @param seed of what is drawn
   */
  List<Result> rows(long seed, IndexedTable table, AsyncIndexedTable async, Query query)
      throws IOException {
    Random r = new Random(seed);
    int way = r.nextInt(WAYS);
    if (way == 0) {
      return consumed(r, async, query);
    }
    if (way == 1) {
      cancel(r, table, async, query);
    }
    return read(table, query);
  }

  private static List<Result> read(IndexedTable table, Query query) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      cursor.forEach(rows::add);
    }
    return rows;
  }

  private List<Result> consumed(Random r, AsyncIndexedTable async, Query query) throws IOException {
    consumed.incrementAndGet();
    List<Result> rows = new ArrayList<>();
    AdvancedScanResultConsumer consumer =
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            rows.addAll(Arrays.asList(results));
            int draw = r.nextInt(4);
            if (draw == 0) {
              ScanResumer resumer = controller.suspend();
              executor.execute(resumer::resume);
            } else if (draw == 1) {
              controller.suspend().resume();
            }
          }

          @Override
          public void onError(Throwable error) {
            rows.clear();
          }

          @Override
          public void onComplete() {}
        };
    try {
      async.query(query, consumer).join();
    } catch (CompletionException e) {
      Throwables.throwIfInstanceOf(e.getCause(), IOException.class);
      throw e;
    }
    return rows;
  }

  /** Whether it has ended before is left to chance. */
  private void cancel(Random r, IndexedTable table, AsyncIndexedTable async, Query query)
      throws IOException {
    Duration soon = Duration.ofMillis(1 + r.nextInt(MOST_MILLIS));
    if (r.nextBoolean()) {
      cancelled.addAndGet(async.queryAll(query).cancel(true) ? 1 : 0);
      return;
    }
    try {
      read(table, query.timeout(soon));
    } catch (QueryCancelledException e) {
      cancelled.incrementAndGet();
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof QueryCancelledException)) {
        throw e;
      }
      cancelled.incrementAndGet();
    }
  }

  /** Queries that were read by a consumer or ended, whichever are fewer. */
  long fewest() {
    return Math.min(consumed.get(), cancelled.get());
  }

  @Override
  public String toString() {
    return consumed + " by consumers, " + cancelled + " ended on the way";
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
