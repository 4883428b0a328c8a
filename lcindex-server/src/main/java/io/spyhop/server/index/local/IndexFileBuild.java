package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnStatistics;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** The files of one index while they are built: runs, then the IFile. Not thread-safe. */
final class IndexFileBuild implements Closeable {
  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final String hfile;
  private final ColumnDictionary dictionary;
  private final List<CheckedFile> runs = new ArrayList<>();
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
      runs.add(writer.finish(hfile, Layout.CLUSTERING, dictionary));
    }
  }

  /** Writes the IFile from the runs and the buffer, and completes the statistics. */
  PreparedFile prepare(
      IndexDefinition definition,
      ColumnStatistics.Builder statistics,
      long cells,
      RecordBuffer buffer,
      int index)
      throws IOException {
    if (!runs.isEmpty()) {
      spill(buffer, index);
    }
    Path path = newFile();
    CheckedFile made;
    StatisticsSink counted = new StatisticsSink(definition, statistics);
    try (IFileWriter writer = writer(path)) {
      if (runs.isEmpty()) {
        buffer.drain(
            index,
            (k, ko, kl, r, ro, rl, v, vo, vl) -> {
              counted.key(k, ko, kl);
              writer.append(k, ko, kl, r, ro, rl, v, vo, vl);
            });
      } else {
        mergeRuns(counted, writer);
      }
      made = writer.finish(hfile, Layout.CLUSTERING, dictionary);
    }
    temporary.remove(path);
    return new PreparedFile(directory, settings, made, hfile, definition, cells, counted.finish());
  }

  private void mergeRuns(StatisticsSink counted, IFileWriter writer) throws IOException {
    try (RecordMerge merge = RecordMerge.of(directory.fileSystem(), runs, settings.conf())) {
      merge.drain(
          (input, record) -> {
            counted.key(record.array(), record.rowOffset(), record.rowLength());
            writer.append(record);
          });
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
