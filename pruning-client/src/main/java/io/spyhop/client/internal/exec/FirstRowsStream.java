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
  /** What all first rows take at most, where parts are not very many. */
  private static final long BYTES = 4 << 20;

  /** The same of a part. */
  private static final long LEAST_PAGE = 4 << 10;

  private static final long MOST_PAGE = 256 << 10;

  /** Rows with longer keys are scanned. */
  private static final int MOST_KEY = HConstants.MAX_ROW_LENGTH / 2;

  private final List<RowRange> parts;
  private final Questions questions;
  private final IoFunction<List<RowRange>, RowStream> scans;
  private final CursorMemory memory;
  private final Queue<Result> first = new ArrayDeque<>();
  private List<RowRange> left;
  private RowStream rest;
  private Result head;
  private boolean closed;

  /** Asks regions for their first rows. */
  public interface Questions {
    /**
     * A scan of a part that ends after a few rows.
     *
     * @param bytes that these may take
     * @return nobody else uses it
     */
    Scan small(RowRange part, long bytes) throws IOException;

    /** The answers to such scans, in their order; empty where there is none. */
    List<Optional<FirstRows>> ask(List<Scan> scans) throws IOException;

    /** What the caller gets of a row, with the same key; null drops the row. */
    Result shape(Result row);
  }

  /**
   * @param parts in order, each of one region as far as is known
   * @param scans reads the rows of parts, in order; they are already shaped
   * @param memory where the first rows count; without room for them, all is scanned
   */
  public FirstRowsStream(
      List<RowRange> parts,
      Questions questions,
      IoFunction<List<RowRange>, RowStream> scans,
      ReadAhead memory) {
    this.parts = parts;
    this.questions = questions;
    this.scans = scans;
    this.memory = new CursorMemory(memory, 1, 1);
    this.memory.freeWith(this);
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
      return handOut();
    }
    head = head == null ? rest.next() : head;
    if (row != null && (head == null || MergedRows.BY_ROW.compare(row, head) < 0)) {
      return handOut();
    }
    Result next = head;
    head = null;
    return next;
  }

  private Result handOut() {
    Result row = first.remove();
    memory.add(-Result.getTotalSizeOfCells(row));
    return row;
  }

  /** Such a row need not wait for a scan. */
  private static boolean isBefore(byte[] row, List<RowRange> ranges) {
    return ranges.isEmpty() || Bytes.compareTo(row, ranges.get(0).start()) < 0;
  }

  /** What is left of the parts behind their first rows. */
  private List<RowRange> askFirst() throws IOException {
    long page = Math.min(MOST_PAGE, Math.max(LEAST_PAGE, BYTES / Math.max(1, parts.size())));
    long all = parts.size() * page;
    if (!memory.tryAdd(all)) {
      return parts;
    }
    try {
      return askFirst(page);
    } finally {
      memory.add(-all);
    }
  }

  private List<RowRange> askFirst(long page) throws IOException {
    List<Scan> asked = new ArrayList<>();
    for (RowRange part : parts) {
      asked.add(questions.small(part, page));
    }
    List<Optional<FirstRows>> answers = questions.ask(asked);
    List<RowRange> behind = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      RowRange part = parts.get(i);
      answers.get(i).map(a -> taken(a, part)).orElse(Optional.of(part)).ifPresent(behind::add);
    }
    return behind;
  }

  /** HBase cannot scan behind very long rows, as its client finds no region by them. */
  private Optional<RowRange> taken(FirstRows answer, RowRange part) {
    byte[] start = part.start();
    for (List<Cell> cells : answer.rows()) {
      Result row = Result.create(cells);
      byte[] key = row.getRow();
      if (key.length > MOST_KEY) {
        return Optional.of(new RowRange(start, part.stop()));
      }
      start = Arrays.copyOf(key, key.length + 1);
      Result shaped = questions.shape(row);
      if (shaped != null) {
        first.add(shaped);
        memory.add(Result.getTotalSizeOfCells(shaped));
      }
    }
    return answer.whole() ? Optional.empty() : Optional.of(new RowRange(start, part.stop()));
  }

  @Override
  public void close() {
    closed = true;
    first.clear();
    memory.forget();
    if (rest != null) {
      rest.close();
    }
  }
}
