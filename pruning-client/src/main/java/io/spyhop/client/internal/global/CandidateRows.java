package io.spyhop.client.internal.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.AnswerRoom;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.trace.Work;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads rows by their keys, many with one call, in the given order. Not thread-safe.
 *
 * <p>A scan bounds what a call returns by its bytes; a list of Gets does not. So their number
 * follows the size of the rows that came so far, and a server leaves out those for which its answer
 * has no room ({@link AnswerRoom}): they are asked for again when the rows before them were used.
 */
final class CandidateRows implements Closeable {
  private static final int FIRST_CHUNK = 32;
  private static final int MAX_CHUNK = 500;

  /** Of one call, and of one server's answer to it. */
  static final long CHUNK_BYTES = 8 << 20;

  private final TableName name;
  private final Table table;
  private final RowKeys rows;
  private final IoFunction<byte[], Get> get;

  /** Rows that were asked for and not handed out, in order. */
  private final Deque<Slot> slots = new ArrayDeque<>();

  private int chunk;
  private long read;

  /**
   * A row that was read.
   *
   * @param result empty if the row is not there or does not match
   */
  record Row(byte[] key, Result result) {}

  /** A row that was asked for, and what came, if it did. */
  private static final class Slot {
    private final byte[] key;
    private Result result;

    Slot(byte[] key) {
      this.key = key;
    }
  }

  /**
   * Nothing is read yet.
   *
   * @param first how many rows are read with the first call at most
   */
  CandidateRows(
      Connection connection, TableName name, RowKeys rows, long first, IoFunction<byte[], Get> get)
      throws IOException {
    this.name = name;
    this.table = connection.getTable(name);
    this.rows = rows;
    this.chunk = (int) Math.max(1, Math.min(first, FIRST_CHUNK));
    this.get = get;
  }

  /** The next row, or null after the last. */
  Row next() throws IOException {
    if (slots.isEmpty()) {
      ask();
    }
    while (!slots.isEmpty() && slots.element().result == null) {
      fetch();
    }
    Slot first = slots.poll();
    return first == null ? null : new Row(first.key, first.result);
  }

  /** The next rows, as far as they are known; more than one if there are. */
  private void ask() throws IOException {
    byte[] key = rows.next();
    while (key != null) {
      slots.add(new Slot(key));
      key = slots.size() < chunk && rows.isAtHand() ? rows.next() : null;
    }
  }

  /** Reads what is missing of the rows that were asked for. */
  private void fetch() throws IOException {
    List<Slot> missing = slots.stream().filter(s -> s.result == null).limit(chunk).toList();
    Result[] results = get(missing);
    long bytes = 0;
    int came = 0;
    for (int i = 0; i < results.length; i++) {
      if (i == 0 || !AnswerRoom.isLater(results[i])) {
        missing.get(i).result = Refusal.checked(results[i]);
        bytes += Result.getTotalSizeOfCells(results[i]);
        came++;
      }
    }
    read += came;
    long each = Math.max(1, bytes / came);
    chunk = (int) Math.max(1, Math.min(Math.min(MAX_CHUNK, 2L * chunk), CHUNK_BYTES / each));
  }

  private Result[] get(List<Slot> some) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (Slot s : some) {
      Get one = get.apply(s.key);
      if (!gets.isEmpty()) {
        AnswerRoom.bound(one, CHUNK_BYTES);
      }
      gets.add(one);
    }
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
    slots.clear();
    table.close();
  }
}
