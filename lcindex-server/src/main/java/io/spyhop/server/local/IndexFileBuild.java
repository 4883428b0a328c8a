package io.spyhop.server.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.HistogramBuilder;
import io.spyhop.core.value.ValueKey;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** The files of one index while they are built: runs, then the IFile. Not thread-safe. */
final class IndexFileBuild implements Closeable {
  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final String hfile;
  private final ColumnDictionary dictionary;
  private final List<Path> runs = new ArrayList<>();
  private final List<Path> temporary = new ArrayList<>();

  IndexFileBuild(
      IndexDirectory directory, BuildSettings settings, String hfile, ColumnDictionary dictionary) {
    this.directory = directory;
    this.settings = settings;
    this.hfile = hfile;
    this.dictionary = dictionary;
  }

  /** Writes the buffered records of the index to a run. */
  void spill(RecordBuffer buffer, int index) throws IOException {
    Path run = newFile();
    try (IFileWriter writer = writer(run)) {
      buffer.drain(index, writer::append);
      writer.finish(hfile, dictionary);
    }
    runs.add(run);
  }

  /** Writes IFile and SFile from the runs and the buffer, and commits them. */
  IndexFile commit(
      IndexDefinition definition,
      ColumnStatistics.Builder statistics,
      RecordBuffer buffer,
      int index)
      throws IOException {
    if (!runs.isEmpty()) {
      spill(buffer, index);
    }
    Path path = newFile();
    long entries = statistics.build().entries();
    HistogramBuilder histogram = HistogramBuilder.of(definition, entries);
    try (IFileWriter writer = writer(path)) {
      RecordBuffer.Sink sink =
          (k, ko, kl, r, ro, rl, v, vo, vl) -> {
            count(k, ko, kl, statistics, histogram);
            writer.append(k, ko, kl, r, ro, rl, v, vo, vl);
          };
      if (runs.isEmpty()) {
        buffer.drain(index, sink);
      } else {
        mergeRuns(sink);
      }
      writer.finish(hfile, dictionary);
    }
    statistics.histogram(histogram.build());
    IndexFile committed =
        directory.commit(path, hfile, definition, statistics.build(), settings.family());
    temporary.remove(path);
    return committed;
  }

  private static void count(
      byte[] key,
      int offset,
      int length,
      ColumnStatistics.Builder statistics,
      HistogramBuilder histogram) {
    byte[] unkeyable = ValueKey.UNKEYABLE.bytes();
    if (Bytes.equals(key, offset, length, unkeyable, 0, unkeyable.length)) {
      statistics.unkeyableEntry();
      return;
    }
    statistics.key(key, offset, length);
    histogram.add(key, offset, length);
  }

  private void mergeRuns(RecordBuffer.Sink sink) throws IOException {
    PriorityQueue<HFileScanner> heads =
        new PriorityQueue<>(
            (a, b) -> CellComparatorImpl.COMPARATOR.compare(a.getCell(), b.getCell()));
    List<IFileReader> readers = new ArrayList<>();
    try {
      for (Path run : runs) {
        IFileReader reader =
            new IFileReader(directory.fileSystem(), run, CacheConfig.DISABLED, settings.conf());
        readers.add(reader);
        HFileScanner scanner = reader.scanner(false);
        if (scanner.seekTo()) {
          heads.add(scanner);
        }
      }
      drain(heads, sink);
    } finally {
      for (IFileReader reader : readers) {
        reader.close();
      }
    }
  }

  private static void drain(PriorityQueue<HFileScanner> heads, RecordBuffer.Sink sink)
      throws IOException {
    while (!heads.isEmpty()) {
      HFileScanner least = heads.poll();
      Cell c = least.getCell();
      sink.record(
          c.getRowArray(),
          c.getRowOffset(),
          c.getRowLength(),
          c.getQualifierArray(),
          c.getQualifierOffset(),
          c.getQualifierLength(),
          c.getValueArray(),
          c.getValueOffset(),
          c.getValueLength());
      if (least.next()) {
        heads.add(least);
      }
    }
  }

  private Path newFile() throws IOException {
    Path path = directory.newTemporary();
    temporary.add(path);
    return path;
  }

  private IFileWriter writer(Path path) throws IOException {
    return new IFileWriter(directory.fileSystem(), path, settings.conf(), settings.family());
  }

  /** Deletes the temporary files. */
  @Override
  public void close() throws IOException {
    for (Path p : temporary) {
      directory.deleteTemporary(p);
    }
    temporary.clear();
  }
}
