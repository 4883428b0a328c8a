package io.spyhop.client;

import io.opentelemetry.context.Scope;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.trace.Work;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;

/**
 * The rows of a query, in the order that it asks for. Close it; a cursor that was read to its end,
 * failed or reached its limit has closed itself. Nothing is asked of the servers before the first
 * row is.
 *
 * <p>Not thread-safe, but for {@link #cancel}: one thread reads and closes it.
 */
public final class RowCursor implements Iterable<Result>, Closeable {
  private final TableName table;
  private final RowStream rows;
  private final long limit;
  private final LongSupplier emptied;
  private final Cancellation cancellation;
  private boolean iterated;
  private long count;

  /** None before the first row is asked for. */
  private Work work;

  /**
   * @param limit the most rows to hand out
   * @param emptied how many rows were left out so far as they have none of the selected columns
   * @param cancellation ends the reading of rows
   */
  RowCursor(
      TableName table,
      RowStream rows,
      long limit,
      LongSupplier emptied,
      Cancellation cancellation) {
    this.table = table;
    this.rows = rows;
    this.limit = limit;
    this.emptied = emptied;
    this.cancellation = cancellation;
  }

  /**
   * The rows. They can be had once.
   *
   * <p>{@code hasNext} and {@code next} throw {@link UncheckedIOException} if a scan failed; rows
   * handed out before are right, the rest is missing. After {@link #close} there are no more rows.
   *
   * @throws IllegalStateException the second time
   */
  @Override
  public Iterator<Result> iterator() {
    if (iterated) {
      throw new IllegalStateException(
          "the rows of this query on table '" + table + "' can be iterated once; query again");
    }
    iterated = true;
    return new Rows();
  }

  /** How many rows were handed out so far. */
  public long count() {
    return count;
  }

  /**
   * How many rows satisfy the condition and were left out so far, as they have none of the selected
   * columns; those that servers leave out by themselves are not counted.
   */
  public long emptied() {
    return emptied.getAsLong();
  }

  /**
   * Ends the query from any thread: the reader, if it waits for a row, gets an {@link
   * UncheckedIOException} of a {@link QueryCancelledException} at once, and otherwise when it asks
   * for the next one. It has to close the cursor all the same. Without effect on one that has
   * ended.
   */
  public void cancel() {
    cancellation.cancel("it was cancelled");
  }

  /** As {@link Cancellation#whenLate}. */
  void whenLate(Consumer<QueryCancelledException> told) {
    cancellation.whenLate(told);
  }

  /** Ends the query's scans; harmless when repeated. */
  @Override
  public void close() {
    cancellation.close(rows);
    if (work != null) {
      work.count("rows", count).close();
    }
  }

  private final class Rows implements Iterator<Result> {
    private Result next;
    private UncheckedIOException failure;

    @Override
    public boolean hasNext() {
      if (failure != null) {
        throw failure;
      }
      if (next == null) {
        next = count < limit ? fetch() : null;
      }
      return next != null;
    }

    private Result fetch() {
      if (work == null) {
        work = Work.begin(Work.Kind.QUERY).name("table", table.getNameAsString());
      }
      try (Scope ignored = work.inThisThread()) {
        Result row = cancellation.read(rows::next);
        if (row == null) {
          close();
        }
        return row;
      } catch (IOException e) {
        work.failed(e);
        close();
        failure = new UncheckedIOException("query on table '" + table + "' failed: " + said(e), e);
        throw failure;
      }
    }

    private static Object said(IOException e) {
      return e instanceof QueryCancelledException ? e.getMessage() : e;
    }

    @Override
    public Result next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the query on table '" + table + "' has no more rows");
      }
      Result row = next;
      next = null;
      count++;
      if (count == limit) {
        close();
      }
      return row;
    }
  }
}
