package io.spyhop.server.index.local;

import io.spyhop.server.index.local.column.RowDirectory;
import io.spyhop.server.view.store.FileRun;
import io.spyhop.server.view.store.FileRuns;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * The rows of an HFile by their numbers in its columnar files. Going on within a block is faster
 * than going elsewhere. Closing gives all blocks back. Not thread-safe.
 */
final class PlacedRows implements Closeable {
  private final ColumnFile file;
  private final StoreFileReader hfile;
  private final BlockCache cache;
  private final RecentBlocks recent;
  private final boolean cacheBlocks;
  private int block = -1;
  private RowDirectory directory;
  private FileRun run;

  /**
   * @param file that of the rows, which nobody else reads
   */
  PlacedRows(ColumnFile file, StoreFileReader hfile, ReadSettings settings) {
    this.file = file;
    this.hfile = hfile;
    this.cache = settings.cache().getBlockCache().orElse(null);
    this.recent = settings.recent().forScan();
    this.cacheBlocks = settings.cacheBlocks();
  }

  /**
   * The HFile's cells from a row's first on.
   *
   * @param number of the block
   */
  FileRun at(int number, int row) throws IOException {
    if (number != block) {
      open(number);
    }
    run.place(directory.position(row));
    if (run.cell() == null) {
      throw new CorruptIndexFileException("no row " + row + " in block " + number);
    }
    return run;
  }

  /**
   * Reads a row.
   *
   * @param number of the block
   * @param into takes its cells, which are valid until {@link #shipped}
   * @return the same
   */
  WholeRow read(int number, int row, WholeRow into) throws IOException {
    forEach(number, row, into::add);
    return into;
  }

  /**
   * Hands over the cells of a row.
   *
   * @param number of the block
   * @param to takes cells that are valid until {@link #shipped}
   */
  void forEach(int number, int row, Consumer<Cell> to) throws IOException {
    FileRun at = at(number, row);
    Cell first = at.cell();
    for (Cell cell = first; cell != null && CellUtil.matchingRows(first, cell); cell = at.cell()) {
      to.accept(cell);
      at.next();
    }
  }

  private void open(int number) throws IOException {
    close();
    directory = file.rows(number);
    if (directory.blocks().length() != hfile.length()) {
      throw new CorruptIndexFileException(directory.blocks() + " is another HFile than " + hfile);
    }
    run =
        FileRuns.of(
            hfile.getHFileReader(),
            cache,
            recent,
            cacheBlocks,
            SpyhopAccess.shownSequence(hfile),
            directory.blocks());
    block = number;
  }

  /** Cells that were read are not needed any more. */
  void shipped() {
    if (run != null) {
      run.shipped();
    }
  }

  @Override
  public void close() {
    block = -1;
    if (run != null) {
      run.close();
      run = null;
    }
  }
}
