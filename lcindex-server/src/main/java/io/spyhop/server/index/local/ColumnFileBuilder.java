package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.ColumnBlockBuilder;
import io.spyhop.server.index.local.column.RowDirectory;
import io.spyhop.server.index.local.column.RowHashes;
import io.spyhop.server.memory.UnshippedBytes;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Builds the columnar files of one HFile for several indexes of its family in one pass: what is
 * kept meanwhile are the values of one block of rows. Use once; not thread-safe.
 */
public final class ColumnFileBuilder implements Closeable {
  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final String hfile;
  private final BooleanSupplier cancelled;
  private final List<Column> columns = new ArrayList<>();
  private final RowDirectory.Builder rows = new RowDirectory.Builder();
  private final RowShape shape = new RowShape();
  private final int[] hashes = new int[ColumnBlock.MAX_ROWS];
  private int block;
  private int rowsInBlock;
  private long cells;
  private CellTimes times = CellTimes.NONE;

  /** One index's file in the making. */
  private final class Column {
    private final IndexDefinition definition;
    private final ColumnStatistics.Builder statistics = ColumnStatistics.builder();
    private final ColumnEntries entries;
    private final KeySample sample = new KeySample();
    private final ColumnBlockBuilder values = new ColumnBlockBuilder();
    private final Path path;
    private final IFileWriter writer;
    private boolean handedOut;

    Column(IndexDefinition definition) throws IOException {
      this.definition = definition;
      this.entries = new ColumnEntries(definition, statistics);
      this.path = directory.newTemporary();
      this.writer =
          new IFileWriter(directory.fileSystem(), path, settings.conf(), settings.family());
    }

    void endRow(boolean complex) {
      Collection<ValueKey> keys = entries.end(complex);
      keys.forEach(k -> sample.add(k, statistics));
      ValueKey only = keys.size() == 1 ? keys.iterator().next() : null;
      boolean several = keys.size() > 1 || only != null && only.isUnkeyable();
      values.add(only, several || entries.isUndecodable(), complex);
    }

    void endBlock(byte[] positions) throws IOException {
      byte[] hashed = RowHashes.toBytes(hashes, rowsInBlock);
      ColumnFile.append(writer, block, ColumnFile.HASHES, hashed);
      ColumnFile.append(writer, block, ColumnFile.ROWS, positions);
      ColumnFile.append(writer, block, ColumnFile.VALUES, values.finish());
    }

    PreparedFile finish() throws IOException {
      writer.times(times);
      CheckedFile made = writer.finish(hfile, Layout.COLUMNAR, new ColumnDictionary());
      handedOut = true;
      return new PreparedFile(
          directory,
          settings,
          made,
          hfile,
          definition,
          cells,
          sample.finish(definition, statistics));
    }

    void close() throws IOException {
      writer.close();
      if (!handedOut) {
        directory.deleteTemporary(path);
      }
    }
  }

  /**
   * @param hfile the HFile's name
   * @param definitions columnar indexes of one family
   * @param cancelled asked now and then; if true, the build ends with a {@link
   *     CancellationException}
   */
  public ColumnFileBuilder(
      IndexDirectory directory,
      BuildSettings settings,
      String hfile,
      List<IndexDefinition> definitions,
      BooleanSupplier cancelled)
      throws IOException {
    this.directory = directory;
    this.settings = settings;
    this.hfile = hfile;
    this.cancelled = cancelled;
    boolean ready = false;
    try {
      for (IndexDefinition d : definitions) {
        columns.add(new Column(d));
      }
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /**
   * Builds the files, not yet committed.
   *
   * @param file the HFile, without its blocks
   * @param run at its beginning
   * @return one per definition and in their order
   */
  public List<PreparedFile> build(Run file, FileRun run) throws IOException {
    while (readRow(run)) {
      if (rowsInBlock == ColumnBlock.MAX_ROWS) {
        endBlock(file, run);
      }
    }
    if (rowsInBlock > 0) {
      endBlock(file, run);
    }
    List<PreparedFile> files = new ArrayList<>();
    boolean done = false;
    try {
      for (Column c : columns) {
        files.add(c.finish());
      }
      done = true;
    } finally {
      if (!done) {
        for (PreparedFile f : files) {
          f.close();
        }
      }
    }
    return files;
  }

  private boolean readRow(FileRun run) throws IOException {
    Cell cell = run.cell();
    if (cell == null) {
      return false;
    }
    byte[] row = CellUtil.cloneRow(cell);
    rows.add(row, run.position());
    shape.begin();
    columns.forEach(c -> c.entries.begin());
    UnshippedBytes unshipped = new UnshippedBytes();
    while (cell != null && CellUtil.matchingRows(cell, row)) {
      cells++;
      shape.add(cell);
      for (Column c : columns) {
        c.entries.add(cell);
      }
      boolean full = unshipped.add(cell);
      run.next();
      if (full) {
        run.shipped();
      }
      cell = run.cell();
    }
    run.shipped();
    columns.forEach(c -> c.endRow(shape.isComplex()));
    if (!shape.isComplex()) {
      times = times.and(shape.oldestTimestamp(), shape.newestTimestamp());
    }
    hashes[rowsInBlock++] = RowHashes.of(row, 0, row.length);
    return true;
  }

  private void endBlock(Run file, FileRun run) throws IOException {
    if (cancelled.getAsBoolean()) {
      throw new CancellationException("index build of " + hfile + " is cancelled");
    }
    byte[] positions = rows.finish(run.withBlocks(file), run.position());
    for (Column c : columns) {
      c.endBlock(positions);
    }
    block++;
    rowsInBlock = 0;
  }

  /** Deletes the files that were not handed out. */
  @Override
  public void close() throws IOException {
    for (Column c : columns) {
      c.close();
    }
  }
}
