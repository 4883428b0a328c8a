package io.spyhop.server.index.local;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.local.column.BlockHashes;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The blocks of a columnar file, of an index or of the rows, for one reader ({@code
 * docs/formats/columns.md}). Not thread-safe.
 */
final class ColumnFile {
  /** Ends the key of a row directory. */
  static final byte ROWS = 'r';

  /** Ends the key of a block of values. */
  static final byte VALUES = 'v';

  /** Ends the key of the hashes of a block's rows. */
  static final byte HASHES = 'h';

  private static final byte[] NO_ROW = new byte[0];

  private final IFileReader file;
  private final boolean cacheBlocks;
  private final long count;
  private final int blocks;
  private final SpyhopCells rows;
  private final SpyhopCells values;
  private final SpyhopCells hashes;

  /** Of blocks of values; null before the first. */
  private ColumnBlock.Room room;

  private int lastValues;
  private int lastRows;

  /**
   * @param count how many rows the HFile has
   */
  ColumnFile(IFileReader file, long count, boolean cacheBlocks) {
    this.file = file;
    this.cacheBlocks = cacheBlocks;
    this.count = count;
    this.blocks = (int) ((count + ColumnBlock.MAX_ROWS - 1) / ColumnBlock.MAX_ROWS);
    this.rows = file.records(cacheBlocks);
    this.values = file.records(cacheBlocks);
    this.hashes = file.records(cacheBlocks);
  }

  /** Appends a part of a block; parts come in the order of blocks, then of their letters. */
  static void append(IFileWriter writer, int block, byte part, byte[] bytes) throws IOException {
    byte[] key = key(block, part);
    writer.append(key, 0, key.length, NO_ROW, 0, 0, bytes, 0, bytes.length);
  }

  private static byte[] key(int block, byte part) {
    return ByteBuffer.allocate(Bytes.SIZEOF_INT + 1).putInt(block).put(part).array();
  }

  /** When the cells of rows that are not complex are from. */
  CellTimes times() {
    return file.times();
  }

  /** How many rows there are. */
  long rows() {
    return count;
  }

  /** How many rows a block has. */
  int rowsOf(int block) {
    return (int) Math.min(ColumnBlock.MAX_ROWS, count - (long) block * ColumnBlock.MAX_ROWS);
  }

  /** How many blocks there are. */
  int blocks() {
    return blocks;
  }

  /**
   * The values of a block, until those of another one are asked for; going on is faster than going
   * back.
   */
  ColumnBlock values(int block) throws IOException {
    find(values, key(block, VALUES), block < lastValues);
    lastValues = block;
    room = room == null ? new ColumnBlock.Room() : room;
    return ColumnBlock.decode(values.array(), values.valueOffset(), values.valueLength(), room);
  }

  /** The hashes of the rows of any block, until those of another one are asked for. */
  BlockHashes hashes(int block) throws IOException {
    find(hashes, key(block, HASHES), true);
    int rows = rowsOf(block);
    if (hashes.valueLength() != rows * Integer.BYTES) {
      throw new CorruptFrameException(
          hashes.valueLength() + " bytes of hashes in block " + block + " of " + count);
    }
    return new BlockHashes(hashes.array(), hashes.valueOffset(), rows);
  }

  /** Where the rows of a block are; going on is faster than going back. */
  RowDirectory rows(int block) throws IOException {
    findRows(block);
    return RowDirectory.decode(rows.array(), rows.valueOffset(), rows.valueLength());
  }

  /** The key of a block's first row; going on is faster than going back. */
  byte[] firstRow(int block) throws IOException {
    findRows(block);
    return firstRow(rows);
  }

  private void findRows(int block) throws IOException {
    find(rows, key(block, ROWS), block < lastRows);
    lastRows = block;
  }

  private static byte[] firstRow(SpyhopCells at) throws IOException {
    return RowDirectory.firstRow(at.array(), at.valueOffset(), at.valueLength());
  }

  /** The last block whose first row is not behind a row; the first if all are. */
  int blockOf(byte[] row) throws IOException {
    SpyhopCells searching = file.records(cacheBlocks);
    int low = 0;
    int high = blocks - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      find(searching, key(middle, ROWS), true);
      if (Bytes.compareTo(firstRow(searching), row) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void find(SpyhopCells cells, byte[] key, boolean anywhere) throws IOException {
    boolean found = anywhere ? cells.seekTo(key) : cells.seek(key);
    if (!found || cells.compareRow(key) != 0) {
      throw new CorruptFrameException("no part " + Bytes.toStringBinary(key));
    }
  }
}
