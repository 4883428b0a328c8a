package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.column.BlockHashes;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.ColumnBlockBuilder;
import io.spyhop.server.index.local.column.RowDirectory;
import io.spyhop.server.index.local.column.RowHashes;
import io.spyhop.server.view.Run;
import io.spyhop.server.view.store.FileRun;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Builds columnar files of one HFile, of several indexes of its family and of the rows, in one
 * pass: what is kept meanwhile is one block of rows. Use once; not thread-safe.
 */
public final class ColumnFileBuilder implements Closeable {
  private final IndexDirectory directory;
  private final BuildSettings settings;
  private final String hfile;
  private final BooleanSupplier cancelled;
  private final List<Column> columns = new ArrayList<>();
  private Optional<Rows> rows = Optional.empty();
  private final RowShape shape = new RowShape();
  private final KnownColumns<List<ColumnEntries>> known = new KnownColumns<>(this::columnsOf);
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
    private final ColumnFileWriter file;

    Column(IndexDefinition definition) throws IOException {
      this.definition = definition;
      this.entries = new ColumnEntries(definition, statistics);
      this.file = new ColumnFileWriter(directory, settings, hfile, definition);
    }

    void endRow(boolean complex) {
      List<ValueKey> keys = entries.end(complex);
      keys.forEach(k -> sample.add(k, statistics));
      ValueKey only = keys.size() == 1 ? keys.get(0) : null;
      boolean several = keys.size() > 1 || only != null && only.isUnkeyable();
      values.add(only, several || entries.isUndecodable(), complex);
    }

    void endBlock() throws IOException {
      file.append(block, ColumnFile.VALUES, values.finish());
    }

    PreparedFile finish() throws IOException {
      file.times(times);
      return file.finish(cells, sample.finish(definition, statistics));
    }
  }

  /** The file of the rows in the making. */
  private final class Rows {
    private final IndexDefinition definition;
    private final ColumnStatistics.Builder statistics = ColumnStatistics.builder();
    private final RowDirectory.Builder places = new RowDirectory.Builder();
    private final int[] hashes = new int[ColumnBlock.MAX_ROWS];
    private final ColumnFileWriter file;

    Rows(IndexDefinition definition) throws IOException {
      this.definition = definition;
      this.file = new ColumnFileWriter(directory, settings, hfile, definition);
    }

    void add(byte[] row, long position) {
      places.add(row, position);
      hashes[rowsInBlock] = RowHashes.of(row, 0, row.length);
      statistics.row(false);
    }

    void endBlock(Run known, long end) throws IOException {
      file.append(block, ColumnFile.HASHES, BlockHashes.toBytes(hashes, rowsInBlock));
      file.append(block, ColumnFile.ROWS, places.finish(known, end));
    }

    PreparedFile finish() throws IOException {
      return file.finish(cells, new KeySample().finish(definition, statistics));
    }
  }

  /**
   * @param hfile the HFile's name
   * @param definitions columnar indexes of one family, perhaps its rows
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
        if (RowsDefinition.is(d)) {
          rows = Optional.of(new Rows(d));
        } else {
          columns.add(new Column(d));
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
   * Builds the files, not yet committed.
   *
   * @param file the HFile, without its blocks
   * @param run at its beginning
   * @return one per definition
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
      if (rows.isPresent()) {
        files.add(rows.get().finish());
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

  private List<ColumnEntries> columnsOf(byte[] qualifier) {
    return columns.stream()
        .filter(c -> Arrays.equals(c.definition.column().qualifier(), qualifier))
        .map(c -> c.entries)
        .toList();
  }

  private boolean readRow(FileRun run) throws IOException {
    Cell cell = run.cell();
    if (cell == null) {
      return false;
    }
    byte[] row = CellUtil.cloneRow(cell);
    long position = run.position();
    rows.ifPresent(r -> r.add(row, position));
    shape.begin();
    known.begin();
    columns.forEach(c -> c.entries.begin());
    while (cell != null && CellUtil.matchingRows(cell, row)) {
      cells++;
      for (ColumnEntries c : known.of(cell)) {
        c.add(cell);
      }
      shape.add(cell, known.isRepeated());
      run.next();
      cell = run.cell();
    }
    columns.forEach(c -> c.endRow(shape.isComplex()));
    if (!shape.isComplex()) {
      times = times.and(shape.oldestTimestamp(), shape.newestTimestamp());
    }
    rowsInBlock++;
    return true;
  }

  private void endBlock(Run file, FileRun run) throws IOException {
    if (cancelled.getAsBoolean()) {
      throw new CancellationException("index build of " + hfile + " is cancelled");
    }
    if (rows.isPresent()) {
      rows.get().endBlock(run.withBlocks(file), run.position());
    }
    for (Column c : columns) {
      c.endBlock();
    }
    block++;
    rowsInBlock = 0;
  }

  /** Deletes the files that were not handed out. */
  @Override
  public void close() throws IOException {
    if (rows.isPresent()) {
      rows.get().file.close();
    }
    for (Column c : columns) {
      c.file.close();
    }
  }
}
