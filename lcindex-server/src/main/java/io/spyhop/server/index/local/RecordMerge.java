package io.spyhop.server.index.local;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;

/** Merges the records of several IFiles in (key, row) order. Use once; not thread-safe. */
final class RecordMerge implements Closeable {
  private static final int SHIP_EVERY = 1024;

  private final List<IFileReader> readers = new ArrayList<>();

  /** One record's cell, and which input it comes from. */
  @FunctionalInterface
  interface CellConsumer {
    void record(int input, Cell cell) throws IOException;
  }

  private static final class Head {
    private final int input;
    private final HFileScanner scanner;
    private int records;

    Head(int input, HFileScanner scanner) {
      this.input = input;
      this.scanner = scanner;
    }
  }

  /** Opens the files with readers of its own, past the block cache. */
  static RecordMerge of(FileSystem fs, List<CheckedFile> files, Configuration conf)
      throws IOException {
    RecordMerge merge = new RecordMerge();
    boolean ready = false;
    try {
      for (CheckedFile f : files) {
        merge.readers.add(new IFileReader(fs, f, CacheConfig.DISABLED, conf));
      }
      ready = true;
    } finally {
      if (!ready) {
        merge.close();
      }
    }
    return merge;
  }

  ColumnDictionary dictionary(int input) {
    return readers.get(input).dictionary();
  }

  /**
   * Hands over all records; a cell is valid during the call alone.
   *
   * @throws CorruptIndexFileException also where damage shows as an error of any other kind
   */
  void drain(CellConsumer sink) throws IOException {
    try {
      merge(sink);
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptIndexFileException("cannot merge index files: " + e, e);
    }
  }

  private void merge(CellConsumer sink) throws IOException {
    PriorityQueue<Head> heads =
        new PriorityQueue<>(
            (a, b) ->
                CellComparatorImpl.COMPARATOR.compare(a.scanner.getCell(), b.scanner.getCell()));
    try {
      for (int i = 0; i < readers.size(); i++) {
        Head head = new Head(i, readers.get(i).scanner(false));
        if (head.scanner.seekTo()) {
          heads.add(head);
        } else {
          head.scanner.close();
        }
      }
      while (!heads.isEmpty()) {
        Head least = heads.poll();
        sink.record(least.input, least.scanner.getCell());
        if (advance(least)) {
          heads.add(least);
        } else {
          least.scanner.close();
        }
      }
    } finally {
      heads.forEach(h -> h.scanner.close());
    }
  }

  private static boolean advance(Head head) throws IOException {
    boolean more = head.scanner.next();
    if (more && ++head.records % SHIP_EVERY == 0) {
      head.scanner.shipped();
    }
    return more;
  }

  @Override
  public void close() throws IOException {
    for (IFileReader r : readers) {
      r.close();
    }
  }
}
