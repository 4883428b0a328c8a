package io.spyhop.client.internal.exec;

import io.spyhop.core.conf.CheckedSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;

/**
 * Rows that come in any order, sorted. They are held in memory: if they do not fit, they are given
 * up before the first has been handed out, and read again in another way. Not thread-safe.
 */
public final class SortedRows implements RowStream {
  /** The setting of how many bytes of cells are held in memory to be sorted. */
  public static final String BYTES = "spyhop.client.bucket.sort.bytes";

  private final RowStream unsorted;
  private final Limits limits;
  private final Comparator<Result> order;
  private final Otherwise otherwise;
  private Iterator<Result> sorted;
  private RowStream instead;
  private boolean closed;

  /**
   * The limits of what is held in memory.
   *
   * @param rows how many of the first rows are wanted; no others are kept
   * @param bytes of cells
   */
  public record Limits(long rows, long bytes) {
    private static final long DEFAULT_BYTES = 16L << 20;

    /** Without the setting the bytes are at most this part of the heap. */
    private static final int HEAP_PART = 32;

    /** Of so many rows at most, and of as many bytes as are configured. */
    public static Limits of(Configuration conf, long rows) {
      long most = Math.min(DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
      long bytes = new CheckedSettings(conf).memory(BYTES, most, 0);
      return new Limits(rows, bytes);
    }
  }

  /** Another way to read the rows, for those that do not fit in memory. */
  @FunctionalInterface
  public interface Otherwise {
    /** The same rows, sorted. */
    RowStream sorted() throws IOException;
  }

  /** Sorts a stream, which this one closes. Nothing is read before the first row is asked for. */
  public SortedRows(
      RowStream unsorted, Limits limits, Comparator<Result> order, Otherwise otherwise) {
    this.unsorted = unsorted;
    this.limits = limits;
    this.order = order;
    this.otherwise = otherwise;
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (sorted == null && instead == null) {
      read();
    }
    if (instead != null) {
      return instead.next();
    }
    return sorted.hasNext() ? sorted.next() : null;
  }

  private void read() throws IOException {
    Kept kept = new Kept();
    for (Result row = unsorted.next(); row != null; row = unsorted.next()) {
      kept.add(row);
      if (kept.bytes > limits.bytes) {
        unsorted.close();
        instead = otherwise.sorted();
        return;
      }
    }
    kept.cut();
    sorted = kept.rows.iterator();
  }

  /** The first of the rows so far. */
  private final class Kept {
    private final List<Result> rows = new ArrayList<>();
    private long bytes;

    private void add(Result row) {
      rows.add(row);
      bytes += Result.getTotalSizeOfCells(row);
      if (bytes > limits.bytes || rows.size() / 2 > limits.rows) {
        cut();
      }
    }

    private void cut() {
      rows.sort(order);
      if (rows.size() > limits.rows) {
        List<Result> rest = rows.subList((int) limits.rows, rows.size());
        bytes -= rest.stream().mapToLong(Result::getTotalSizeOfCells).sum();
        rest.clear();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    unsorted.close();
    if (instead != null) {
      instead.close();
    }
  }
}
