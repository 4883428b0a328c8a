package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Walks the cells of an HFile without an object for each: where a cell's parts lie in an array says
 * all. For files whose blocks are neither encoded nor hold tags or sequence numbers ({@link
 * #isPlain}). Blocks in buffers that HBase counts are copied and released at once, blocks on the
 * heap are read where they are; nothing has to be closed. HBase keeps what this needs to its
 * package. Not thread-safe.
 *
 * <p>What a cell is made of: {@link KeyValue}. Lengths that do not fit a block are an {@link
 * IllegalStateException}.
 */
public final class SpyhopCells {
  private static final int LENGTHS = 2 * Bytes.SIZEOF_INT;
  private static final byte[] NOTHING = new byte[0];

  private final HFile.Reader file;
  private final boolean cacheBlocks;
  private long blockOffset;
  private long nextBlockOffset;
  private int nextBlockSize;
  private Cell nextIndexed;
  private byte[] copy = NOTHING;
  private byte[] block;
  private int end;
  private int at;
  private boolean over;
  private int valueLength;
  private int rowLength;
  private int qualifierOffset;
  private int valueOffset;

  /**
   * A walk of its own, not yet at a cell.
   *
   * @param cacheBlocks whether blocks that are read go to the block cache
   */
  public SpyhopCells(HFile.Reader file, boolean cacheBlocks) {
    this.file = file;
    this.cacheBlocks = cacheBlocks;
  }

  /** Whether a file can be walked. */
  public static boolean isPlain(HFile.Reader file) {
    return file.getDataBlockEncoding() == DataBlockEncoding.NONE
        && !file.getFileContext().isIncludesTags()
        && !file.getHFileInfo().shouldIncludeMemStoreTS();
  }

  /** Goes to the file's first cell; false if it has none. */
  public boolean first() throws IOException {
    if (file.getEntries() == 0) {
      return false;
    }
    over = false;
    nextIndexed = null;
    take(read(file.getTrailer().getFirstDataBlockOffset(), -1));
    return parse();
  }

  /**
   * Goes on to the first cell whose row is a given one or comes after it, if the walk is not at or
   * past such a cell already.
   *
   * @return false if there is none
   */
  public boolean seek(byte[] row) throws IOException {
    if (over) {
      return false;
    }
    if (block == null || !isInBlock(row)) {
      BlockWithScanInfo found = find(row);
      if (found == null) {
        return first();
      }
      nextIndexed = found.getNextIndexedKey();
      take(found.getHFileBlock());
      parse();
    }
    boolean more = true;
    while (more && compareRow(row) < 0) {
      more = next();
    }
    return more;
  }

  private boolean isInBlock(byte[] row) {
    if (nextIndexed == KeyValueScanner.NO_NEXT_INDEXED_KEY) {
      return true;
    }
    return nextIndexed != null
        && Bytes.compareTo(
                row,
                0,
                row.length,
                nextIndexed.getRowArray(),
                nextIndexed.getRowOffset(),
                nextIndexed.getRowLength())
            < 0;
  }

  private BlockWithScanInfo find(byte[] row) throws IOException {
    return file.getDataBlockIndexReader()
        .loadDataBlockWithScanInfo(
            KeyValueUtil.createFirstOnRow(row),
            null,
            cacheBlocks,
            true,
            false,
            DataBlockEncoding.NONE,
            file);
  }

  /** Goes to the next cell; false if there is none, and then the walk is over. */
  public boolean next() throws IOException {
    at = valueOffset + valueLength;
    return at < end ? parse() : nextBlock();
  }

  private boolean nextBlock() throws IOException {
    nextIndexed = null;
    long last = file.getTrailer().getLastDataBlockOffset();
    while (blockOffset < last) {
      HFileBlock next = read(nextBlockOffset, nextBlockSize);
      boolean data = next.getBlockType().isData();
      take(next);
      if (data) {
        return parse();
      }
    }
    over = true;
    return false;
  }

  private HFileBlock read(long offset, int size) throws IOException {
    return file.readBlock(
        offset, size, cacheBlocks, true, false, true, null, DataBlockEncoding.NONE);
  }

  private void take(HFileBlock taken) {
    try {
      blockOffset = taken.getOffset();
      nextBlockOffset = blockOffset + taken.getOnDiskSizeWithHeader();
      nextBlockSize = taken.getNextBlockOnDiskSize();
      ByteBuff bytes = taken.getBufferWithoutHeader();
      int length = bytes.remaining();
      if (!taken.isSharedMem() && bytes.hasArray()) {
        block = bytes.array();
        at = bytes.arrayOffset() + bytes.position();
      } else {
        copy = copy.length >= length ? copy : new byte[length];
        bytes.get(copy, 0, length);
        block = copy;
        at = 0;
      }
      end = at + length;
    } finally {
      taken.release();
    }
  }

  private boolean parse() {
    if (end - at < LENGTHS + Bytes.SIZEOF_SHORT) {
      throw damaged();
    }
    int keyLength = Bytes.toInt(block, at);
    valueLength = Bytes.toInt(block, at + Bytes.SIZEOF_INT);
    int key = at + LENGTHS;
    valueOffset = key + keyLength;
    if (keyLength < 0 || valueLength < 0 || (long) keyLength + valueLength > end - key) {
      throw damaged();
    }
    rowLength = Bytes.toShort(block, key);
    int family = key + Bytes.SIZEOF_SHORT + rowLength;
    if (rowLength < 0 || family >= valueOffset) {
      throw damaged();
    }
    qualifierOffset = family + 1 + block[family];
    if (block[family] < 0 || qualifierLength() < 0) {
      throw damaged();
    }
    return true;
  }

  private IllegalStateException damaged() {
    return new IllegalStateException(
        "no cell at byte "
            + at
            + " of "
            + end
            + " in the block at "
            + blockOffset
            + " of "
            + file.getPath());
  }

  /** The sign says where the cell's row stands against another. */
  public int compareRow(byte[] row) {
    return Bytes.compareTo(block, rowOffset(), rowLength, row, 0, row.length);
  }

  /** The cell's row against that of another walk, then its qualifier. */
  public int compareWith(SpyhopCells other) {
    int c =
        Bytes.compareTo(
            block, rowOffset(), rowLength, other.block, other.rowOffset(), other.rowLength);
    return c != 0
        ? c
        : Bytes.compareTo(
            block,
            qualifierOffset,
            qualifierLength(),
            other.block,
            other.qualifierOffset,
            other.qualifierLength());
  }

  /** The array in which the cell lies, until the next cell. */
  public byte[] array() {
    return block;
  }

  /** Where the row begins. */
  public int rowOffset() {
    return at + LENGTHS + Bytes.SIZEOF_SHORT;
  }

  /** Bytes of the row. */
  public int rowLength() {
    return rowLength;
  }

  /** Where the qualifier begins. */
  public int qualifierOffset() {
    return qualifierOffset;
  }

  /** Bytes of the qualifier. */
  public int qualifierLength() {
    return valueOffset - KeyValue.TIMESTAMP_TYPE_SIZE - qualifierOffset;
  }

  /** Where the value begins. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Bytes of the value. */
  public int valueLength() {
    return valueLength;
  }
}
