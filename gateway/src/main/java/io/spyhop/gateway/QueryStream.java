package io.spyhop.gateway;

import io.spyhop.client.QueryCancelledException;
import io.spyhop.client.RowCursor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One query on its way to a client. One thread {@link #run}s it: it reads rows until a batch is
 * full, writes the batch column by column, and waits until the client takes it. Nothing is sent
 * before the first batch is there. Other threads may call {@link #cancel} and {@link #ready}.
 */
final class QueryStream {
  private final ServerStreamListener listener;
  private final GatewaySettings.Limits limits;
  private final long deadline;

  /** Guarded by this; null before it is opened. */
  private RowCursor cursor;

  /** Guarded by this. */
  private boolean cancelled;

  /**
   * @param time that it may take from now on
   */
  QueryStream(ServerStreamListener listener, GatewaySettings.Limits limits, Duration time) {
    this.listener = listener;
    this.limits = limits;
    this.deadline = System.nanoTime() + time.toNanos();
  }

  /** The client has gone, or the gateway ends. */
  synchronized void cancel() {
    cancelled = true;
    if (cursor != null) {
      cursor.cancel();
    }
    notifyAll();
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** The client may take more. */
  synchronized void ready() {
    notifyAll();
  }

  /**
   * Reads and sends all rows. The listener is told of no end.
   *
   * @param allocator of this query alone
   */
  void run(Answer answer, BufferAllocator allocator) throws IOException, InterruptedException {
    try (RowCursor rows = begin(answer);
        VectorSchemaRoot root =
            VectorSchemaRoot.create(Answer.schema(answer.columns()), allocator)) {
      send(answer, rows.iterator(), root);
    }
  }

  private RowCursor begin(Answer answer) throws IOException {
    RowCursor opened = answer.table().query(answer.query());
    synchronized (this) {
      cursor = opened;
      if (cancelled) {
        opened.cancel();
      }
    }
    return opened;
  }

  private void send(Answer answer, Iterator<Result> rows, VectorSchemaRoot root)
      throws IOException, InterruptedException {
    List<AnswerColumn> columns = answer.columns();
    List<Result> batch = next(columns, rows);
    answer.requireTypes();
    fill(columns, batch, root);
    listener.start(root);
    while (!batch.isEmpty()) {
      awaitReady();
      listener.putNext();
      batch = next(columns, rows);
      fill(columns, batch, root);
    }
  }

  /** Rows up to the bounds, and the one that exceeds them. */
  private List<Result> next(List<AnswerColumn> columns, Iterator<Result> rows) {
    long width = columns.stream().mapToLong(c -> c.arrow().width()).sum();
    List<Result> batch = new ArrayList<>();
    long bytes = 0;
    while (batch.size() < limits.batchRows() && bytes < limits.batchBytes() && rows.hasNext()) {
      Result row = rows.next();
      batch.add(row);
      bytes += Result.getTotalSizeOfCells(row) + width;
    }
    return batch;
  }

  private static void fill(List<AnswerColumn> columns, List<Result> rows, VectorSchemaRoot root) {
    for (int c = 0; c < columns.size(); c++) {
      AnswerColumn column = columns.get(c);
      Object[] values = new Object[rows.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = column.read(rows.get(i));
      }
      try {
        column.arrow().fill(root.getVector(c), values);
      } catch (UnrepresentableValueException e) {
        throw new UnrepresentableValueException(
            "a value of column '"
                + column.label()
                + "' in the rows from '"
                + Bytes.toStringBinary(rows.get(0).getRow())
                + "' on "
                + e.getMessage()
                + ": name the column as CAST("
                + column.name()
                + " AS BYTES), or leave it out");
      }
    }
    root.setRowCount(rows.size());
  }

  private synchronized void awaitReady() throws IOException, InterruptedException {
    while (!cancelled && !listener.isReady()) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new QueryCancelledException("its rows were not taken in time");
      }
      wait(left);
    }
    if (cancelled) {
      throw new QueryCancelledException("it was cancelled");
    }
  }
}
