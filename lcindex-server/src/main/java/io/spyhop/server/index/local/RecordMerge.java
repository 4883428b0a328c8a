package io.spyhop.server.index.local;

import io.spyhop.core.schema.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;

/** Merges the records of several IFiles in (key, row) order. Use once; not thread-safe. */
final class RecordMerge implements Closeable {
  private final List<IFileReader> readers = new ArrayList<>();

  /** One record, and which input it comes from. */
  @FunctionalInterface
  interface RecordConsumer {
    void record(int input, SpyhopCells record) throws IOException;
  }

  private record Head(int input, SpyhopCells records) {}

  /** Opens the files with readers of its own, past the block cache. */
  static RecordMerge of(FileSystem fs, List<CheckedFile> files, Configuration conf)
      throws IOException {
    RecordMerge merge = new RecordMerge();
    boolean ready = false;
    try {
      for (CheckedFile f : files) {
        merge.readers.add(new IFileReader(fs, f, Layout.CLUSTERING, CacheConfig.DISABLED, conf));
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
   * Hands over all records; a record is valid during the call alone.
   *
   * @throws CorruptIndexFileException also where damage shows as an error of any other kind
   */
  void drain(RecordConsumer sink) throws IOException {
    try {
      merge(sink);
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptIndexFileException("cannot merge index files: " + e, e);
    }
  }

  private void merge(RecordConsumer sink) throws IOException {
    PriorityQueue<Head> heads = new PriorityQueue<>((a, b) -> a.records.compareWith(b.records));
    for (int i = 0; i < readers.size(); i++) {
      Head head = new Head(i, readers.get(i).records(false));
      if (head.records.first()) {
        heads.add(head);
      }
    }
    while (!heads.isEmpty()) {
      Head least = heads.poll();
      sink.record(least.input, least.records);
      if (least.records.next()) {
        heads.add(least);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (IFileReader r : readers) {
      r.close(false);
    }
  }
}
