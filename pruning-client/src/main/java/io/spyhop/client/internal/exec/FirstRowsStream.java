package io.spyhop.client.internal.exec;

import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.FirstRows;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of several regions in order. The first ones of all come with few calls, which is all of
 * a small answer; those behind them are scanned. Not thread-safe.
 */
public final class FirstRowsStream implements RowStream {
  private final List<RowRange> parts;
  private final Questions questions;
  private final IoFunction<List<RowRange>, RowStream> scans;
  private final Queue<Result> first = new ArrayDeque<>();
  private List<RowRange> left;
  private RowStream rest;
  private Result head;
  private boolean closed;

  /** Asks regions for their first rows. */
  public interface Questions {
    /** A scan of a part that ends after a few rows; nobody else uses it. */
    Scan small(RowRange part) throws IOException;

    /** The answers to such scans, in their order; empty where there is none. */
    List<Optional<FirstRows>> ask(List<Scan> scans) throws IOException;

    /** What the caller gets of a row, with the same key; null drops the row. */
    Result shape(Result row);
  }

  /**
   * @param parts in order, each of one region as far as is known
   * @param scans reads the rows of parts, in order; they are already shaped
   */
  public FirstRowsStream(
      List<RowRange> parts, Questions questions, IoFunction<List<RowRange>, RowStream> scans) {
    this.parts = parts;
    this.questions = questions;
    this.scans = scans;
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (rest == null) {
      left = askFirst();
      rest = scans.apply(left);
    }
    Result row = first.peek();
    if (row != null && isBefore(row.getRow(), left)) {
      return first.remove();
    }
    head = head == null ? rest.next() : head;
    if (row != null && (head == null || MergedRows.BY_ROW.compare(row, head) < 0)) {
      return first.remove();
    }
    Result next = head;
    head = null;
    return next;
  }

  /** Such a row need not wait for a scan. */
  private static boolean isBefore(byte[] row, List<RowRange> ranges) {
    return ranges.isEmpty() || Bytes.compareTo(row, ranges.get(0).start()) < 0;
  }

  /** What is left of the parts behind their first rows. */
  private List<RowRange> askFirst() throws IOException {
    List<Scan> scans = new ArrayList<>();
    for (RowRange part : parts) {
      scans.add(questions.small(part));
    }
    List<Optional<FirstRows>> answers = questions.ask(scans);
    List<RowRange> behind = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      RowRange part = parts.get(i);
      if (answers.get(i).isEmpty()) {
        behind.add(part);
      } else {
        taken(answers.get(i).get(), part).ifPresent(behind::add);
      }
    }
    return behind;
  }

  /** HBase takes no start row that is longer than any row, so that the longest begins the rest. */
  private Optional<RowRange> taken(FirstRows answer, RowRange part) {
    byte[] start = part.start();
    for (List<Cell> cells : answer.rows()) {
      Result row = Result.create(cells);
      byte[] key = row.getRow();
      if (key.length == HConstants.MAX_ROW_LENGTH) {
        return Optional.of(new RowRange(key, part.stop()));
      }
      start = Arrays.copyOf(key, key.length + 1);
      Result shaped = questions.shape(row);
      if (shaped != null) {
        first.add(shaped);
      }
    }
    return answer.whole() ? Optional.empty() : Optional.of(new RowRange(start, part.stop()));
  }

  @Override
  public void close() {
    closed = true;
    if (rest != null) {
      rest.close();
    }
  }
}
