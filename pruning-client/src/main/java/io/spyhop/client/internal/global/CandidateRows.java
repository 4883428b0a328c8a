package io.spyhop.client.internal.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.trace.Work;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads rows by their keys, many with one call, in the given order. Not thread-safe.
 *
 * <p>A scan bounds what a call returns by its bytes; a list of Gets does not, so their number
 * follows the size of the rows that came so far.
 */
final class CandidateRows implements Closeable {
  private static final int FIRST_CHUNK = 32;
  private static final int MAX_CHUNK = 500;
  private static final long CHUNK_BYTES = 8 << 20;

  /** Makes the Gets of rows, and is told what they returned. */
  interface Reading {
    /** The Get of a row. */
    Get get(byte[] row);

    /** What came, empty if the row is not there or does not match. */
    void came(byte[] row, Result result);
  }

  private final TableName name;
  private final Table table;
  private final Iterator<byte[]> rows;
  private final Reading reading;
  private final Queue<Result> ready = new ArrayDeque<>();
  private int chunk = FIRST_CHUNK;
  private long read;

  CandidateRows(Connection connection, TableName name, Collection<byte[]> rows, Reading reading)
      throws IOException {
    this.name = name;
    this.table = connection.getTable(name);
    this.rows = rows.iterator();
    this.reading = reading;
  }

  /** The next row that is not empty, or null after the last. */
  Result next() throws IOException {
    while (ready.isEmpty() && rows.hasNext()) {
      fetch();
    }
    return ready.poll();
  }

  private void fetch() throws IOException {
    List<byte[]> keys = new ArrayList<>(chunk);
    List<Get> gets = new ArrayList<>(chunk);
    while (rows.hasNext() && gets.size() < chunk) {
      byte[] row = rows.next();
      keys.add(row);
      gets.add(reading.get(row));
    }
    Result[] results = get(gets);
    read += results.length;
    long bytes = 0;
    for (int i = 0; i < results.length; i++) {
      reading.came(keys.get(i), Refusal.checked(results[i]));
      if (!results[i].isEmpty()) {
        bytes += Result.getTotalSizeOfCells(results[i]);
        ready.add(results[i]);
      }
    }
    long each = Math.max(1, bytes / results.length);
    chunk = (int) Math.max(1, Math.min(Math.min(MAX_CHUNK, 2L * chunk), CHUNK_BYTES / each));
  }

  private Result[] get(List<Get> gets) throws IOException {
    try (Work work = Work.begin(Work.Kind.REREAD);
        Scope ignored = work.inThisThread()) {
      work.name("table", name.getNameAsString()).count("rows", gets.size());
      return table.get(gets);
    }
  }

  /** How many rows were read, matching or not. */
  long read() {
    return read;
  }

  @Override
  public void close() throws IOException {
    ready.clear();
    table.close();
  }
}
