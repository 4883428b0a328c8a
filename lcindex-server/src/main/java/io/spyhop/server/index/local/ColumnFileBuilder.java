package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.ColumnBlockBuilder;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hbase.thirdparty.com.google.common.io.Closer;

/**
 * Builds columnar files of one HFile, of several indexes of its family and of the rows, in one pass
 * over its cells: as they are read from it ({@link #build}), or as they are written ({@link
 * StreamedFiles}). What is kept meanwhile is one block of rows, and of rows whose blocks are not
 * known yet the file of the rows. Use once; not thread-safe.
 */
public final class ColumnFileBuilder implements Closeable {
  private final List<Column> columns = new ArrayList<>();
  private RowFileBuilder rows;
  private final RowShape shape = new RowShape();
  private final KnownColumns<List<ColumnEntries>> known = new KnownColumns<>(this::columnsOf);
  private byte[] row;
  private long position;
  private int block;
  private int rowsInBlock;
  private long cells;
  private CellTimes times = CellTimes.NONE;

  /** One index's file in the making. */
  private static final class Column {
    private final IndexDefinition definition;
    private final ColumnStatistics.Builder statistics = ColumnStatistics.builder();
    private final ColumnEntries entries;
    private final KeySample sample = new KeySample();
    private final ColumnBlockBuilder values = new ColumnBlockBuilder();
    private final ColumnFileWriter file;

    Column(IndexDirectory directory, BuildSettings settings, IndexDefinition definition)
        throws IOException {
      this.definition = definition;
      this.entries = new ColumnEntries(definition, statistics);
      this.file = new ColumnFileWriter(directory, settings, definition);
    }

    void endRow(boolean complex) {
      List<ValueKey> keys = entries.end(complex);
      keys.forEach(k -> sample.add(k, statistics));
      ValueKey only = keys.size() == 1 ? keys.get(0) : null;
      boolean several = keys.size() > 1 || only != null && only.isUnkeyable();
      values.add(only, several || entries.isUndecodable(), complex);
    }

    void endBlock(int block) throws IOException {
      file.append(block, ColumnFile.VALUES, values.finish());
    }

    PreparedFile finish(String hfile, long cells, CellTimes times) throws IOException {
      file.times(times);
      return file.finish(hfile, cells, sample.finish(definition, statistics));
    }
  }

  /**
   * @param definitions columnar indexes of one family, perhaps its rows
   */
  public ColumnFileBuilder(
      IndexDirectory directory, BuildSettings settings, List<IndexDefinition> definitions)
      throws IOException {
    boolean ready = false;
    try {
      for (IndexDefinition d : definitions) {
        if (RowsDefinition.is(d)) {
          rows = new RowFileBuilder(directory, settings, d);
        } else {
          columns.add(new Column(directory, settings, d));
        }
      }
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /**
   * Builds the files, not yet committed, from an HFile.
   *
   * @param file the HFile, without its blocks
   * @param run at its beginning
   * @param cancelled asked now and then; if true, the build ends with a {@link
   *     CancellationException}
   * @return one per definition
   */
  public List<PreparedFile> build(Run file, FileRun run, BooleanSupplier cancelled)
      throws IOException {
    RowFileBuilder.Blocks blocks = (first, last) -> run.withBlocks(file, first, last);
    for (Cell cell = run.cell(); cell != null; cell = run.cell()) {
      if (add(cell, run.position())) {
        if (cancelled.getAsBoolean()) {
          throw new CancellationException("index build of " + file.name() + " is cancelled");
        }
        writeRows(blocks);
      }
      run.next();
    }
    return finish(file.name(), blocks);
  }

  /**
   * Takes the HFile's next cell.
   *
   * @param at where it is in the HFile, as a {@link FileRun} says it; of no matter where the file
   *     of the rows is not built
   * @return whether a block of rows has ended before it
   */
  boolean add(Cell cell, long at) throws IOException {
    boolean ended = false;
    if (row == null || !CellUtil.matchingRows(cell, row)) {
      ended = endRow();
      row = CellUtil.cloneRow(cell);
      if (rows != null) {
        rows.add(row, at);
      }
      shape.begin();
      known.begin();
      columns.forEach(c -> c.entries.begin());
    }
    position = at;
    cells++;
    for (ColumnEntries c : known.of(cell)) {
      c.add(cell);
    }
    shape.add(cell, known.isRepeated());
    return ended;
  }

  private List<ColumnEntries> columnsOf(byte[] qualifier) {
    return columns.stream()
        .filter(c -> Arrays.equals(c.definition.column().qualifier(), qualifier))
        .map(c -> c.entries)
        .toList();
  }

  /** Ends the row at hand, if there is one. Returns whether it was the last of a block. */
  private boolean endRow() throws IOException {
    if (row == null) {
      return false;
    }
    columns.forEach(c -> c.endRow(shape.isComplex()));
    if (!shape.isComplex()) {
      times = times.and(shape.oldestTimestamp(), shape.newestTimestamp());
    }
    row = null;
    if (++rowsInBlock < ColumnBlock.MAX_ROWS) {
      return false;
    }
    endBlock();
    return true;
  }

  private void endBlock() throws IOException {
    if (rows != null) {
      rows.endBlock((int) (position >>> FileRun.PLACE_BITS));
    }
    for (Column c : columns) {
      c.endBlock(block);
    }
    block++;
    rowsInBlock = 0;
  }

  /** Cells that were taken. */
  long cells() {
    return cells;
  }

  /** Bytes of keys, and of rows whose blocks are not known yet. */
  long heapSize() {
    long bytes = rows == null ? 0 : rows.heapSize();
    for (Column c : columns) {
      bytes += c.sample.heapSize() + c.values.heapSize();
    }
    return bytes;
  }

  private void writeRows(RowFileBuilder.Blocks blocks) throws IOException {
    if (rows != null) {
      rows.write(blocks);
    }
  }

  /** Builds no file of the rows after all. */
  void dropRows() throws IOException {
    if (rows != null) {
      RowFileBuilder dropped = rows;
      rows = null;
      dropped.close();
    }
  }

  /**
   * Ends the files.
   *
   * @param hfile the HFile's name
   */
  List<PreparedFile> finish(String hfile, RowFileBuilder.Blocks blocks) throws IOException {
    endRow();
    if (rowsInBlock > 0) {
      endBlock();
    }
    writeRows(blocks);
    List<PreparedFile> files = new ArrayList<>();
    boolean done = false;
    try {
      for (Column c : columns) {
        files.add(c.finish(hfile, cells, times));
      }
      if (rows != null) {
        files.add(rows.finish(hfile, cells));
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

  /** Deletes the files that were not handed out. */
  @Override
  public void close() throws IOException {
    try (Closer all = Closer.create()) {
      columns.forEach(c -> all.register(c.file));
      all.register(this::dropRows);
    }
  }
}
