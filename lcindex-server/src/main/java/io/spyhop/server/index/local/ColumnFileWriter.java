package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnStatistics;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** A columnar file in the making, of an index or of the rows. Not thread-safe. */
final class ColumnFileWriter implements Closeable {
  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final IndexDefinition definition;
  private final Path path;
  private final IFileWriter writer;
  private boolean handedOut;

  ColumnFileWriter(IndexDirectory directory, BuildSettings settings, IndexDefinition definition)
      throws IOException {
    this.directory = directory;
    this.settings = settings;
    this.definition = definition;
    this.path = directory.newTemporary();
    this.writer = new IFileWriter(directory.fileSystem(), path, settings.conf(), settings.family());
  }

  /** Appends a part of a block; parts come in the order of blocks, then of their letters. */
  void append(int block, byte part, byte[] bytes) throws IOException {
    ColumnFile.append(writer, block, part, bytes);
  }

  /** Has the file say when the cells of simple rows are from. */
  void times(CellTimes times) throws IOException {
    writer.times(times);
  }

  /**
   * Ends the file.
   *
   * @param hfile the HFile's name
   * @param cells the HFile's
   */
  PreparedFile finish(String hfile, long cells, ColumnStatistics statistics) throws IOException {
    CheckedFile made = writer.finish(hfile, Layout.COLUMNAR, new ColumnDictionary());
    handedOut = true;
    return new PreparedFile(directory, settings, made, hfile, definition, cells, statistics);
  }

  /** Deletes the file if it was not ended. */
  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } finally {
      if (!handedOut) {
        directory.deleteTemporary(path);
      }
    }
  }
}
