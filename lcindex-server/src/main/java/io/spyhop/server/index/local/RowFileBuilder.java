package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.server.index.local.column.BlockHashes;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowDirectory;
import io.spyhop.server.index.local.column.RowHashes;
import io.spyhop.server.view.Run;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Builds the file of an HFile's rows. Where they are is written when it is known; what is not
 * written yet is in memory. Use once; not thread-safe.
 */
final class RowFileBuilder implements Closeable {
  private final IndexDefinition definition;
  private final ColumnStatistics.Builder statistics = ColumnStatistics.builder();
  private final RowDirectory.Builder places = new RowDirectory.Builder();
  private final int[] hashes = new int[ColumnBlock.MAX_ROWS];
  private final ColumnFileWriter file;
  private final Deque<Block> unwritten = new ArrayDeque<>();
  private long unwrittenBytes;
  private int written;
  private int rows;

  /** Knows where the blocks of an HFile are. */
  @FunctionalInterface
  interface Blocks {
    /** The HFile with these of its blocks alone. */
    Run between(int first, int last);
  }

  /** A block of rows. */
  private record Block(byte[] hashes, RowDirectory.Unplaced places) {
    long heapSize() {
      return hashes.length + places.heapSize();
    }
  }

  RowFileBuilder(IndexDirectory directory, BuildSettings settings, IndexDefinition definition)
      throws IOException {
    this.definition = definition;
    this.file = new ColumnFileWriter(directory, settings, definition);
  }

  /** Takes the next row, by its position in the HFile. */
  void add(byte[] row, long position) {
    places.add(row, position);
    hashes[rows++] = RowHashes.of(row, 0, row.length);
    statistics.row(false);
  }

  /**
   * Ends a block of rows.
   *
   * @param last the HFile's block with the end of the last row
   */
  void endBlock(int last) {
    Block block = new Block(BlockHashes.toBytes(hashes, rows), places.finish(last));
    unwritten.add(block);
    unwrittenBytes += block.heapSize();
    rows = 0;
  }

  /** Bytes of what is not written yet. */
  long heapSize() {
    return unwrittenBytes;
  }

  /** Writes the blocks that have ended. */
  void write(Blocks known) throws IOException {
    for (Block b = unwritten.poll(); b != null; b = unwritten.poll()) {
      Run blocks = known.between(b.places.first(), b.places.last());
      file.append(written, ColumnFile.HASHES, b.hashes);
      file.append(written, ColumnFile.ROWS, b.places.encode(blocks));
      written++;
    }
    unwrittenBytes = 0;
  }

  /**
   * Ends the file, of which all is written.
   *
   * @param cells the HFile's
   */
  PreparedFile finish(String hfile, long cells) throws IOException {
    return file.finish(hfile, cells, new KeySample().finish(definition, statistics));
  }

  /** Deletes the file if it was not ended. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
