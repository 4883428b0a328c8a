package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
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
  private static final int FIRST_STARTS = 256;

  private final HFile.Reader file;
  private final boolean cacheBlocks;
  private long blockOffset = -1;
  private long nextBlockOffset;
  private int nextBlockSize;
  private Cell nextIndexed;
  private byte[] copy = NOTHING;
  private byte[] block;
  private int begin;
  private int end;

  /** Where the cells of the block begin, if that was asked for, and how many there are. */
  private int[] starts = {};

  private int count;
  private long previousBlockOffset;
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

  /**
   * Goes to the first cell whose row is a given one or comes after it, wherever the walk is.
   *
   * @return false if there is none
   */
  public boolean seekTo(byte[] row) throws IOException {
    over = false;
    if (isAmongStarts(row)) {
      return goTo(firstFrom(row));
    }
    block = null;
    return seek(row);
  }

  /**
   * Goes to the last cell whose row comes before a given one, wherever the walk is. It reads the
   * block before only if there is none in the block where the given row would be.
   *
   * @param row null for the file's last cell
   * @return false if there is none
   */
  public boolean seekBefore(byte[] row) throws IOException {
    over = false;
    if (row == null) {
      return file.getEntries() > 0 && lastOf(file.getTrailer().getLastDataBlockOffset());
    }
    if (!isAmongStarts(row)) {
      BlockWithScanInfo found = find(row);
      if (found == null) {
        return false;
      }
      nextIndexed = null;
      take(found.getHFileBlock());
      findStarts();
    }
    int first = firstFrom(row);
    if (first > 0) {
      return goTo(first - 1);
    }
    return previousBlockOffset >= 0 && lastOf(previousBlockOffset);
  }

  private boolean lastOf(long blockAt) throws IOException {
    nextIndexed = null;
    take(read(blockAt, -1));
    findStarts();
    return goTo(count - 1);
  }

  private boolean goTo(int cell) {
    at = starts[cell];
    return parse();
  }

  /** Whether the row lies behind the first cell of the block and not behind the last. */
  private boolean isAmongStarts(byte[] row) {
    if (block == null || count == 0) {
      return false;
    }
    goTo(0);
    if (compareRow(row) >= 0) {
      return false;
    }
    goTo(count - 1);
    return compareRow(row) >= 0;
  }

  /** The first cell of the block whose row is a given one or comes after it. */
  private int firstFrom(byte[] row) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      goTo(middle);
      if (compareRow(row) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private void findStarts() {
    for (at = begin; at < end; at = valueOffset + valueLength) {
      parse();
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, Math.max(FIRST_STARTS, 2 * count));
      }
      starts[count++] = at;
    }
    if (count == 0) {
      throw damaged();
    }
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
      if (taken.getOffset() != blockOffset && taken.getBlockType().isData()) {
        SpyhopAccess.countBlock(taken.getUncompressedSizeWithoutHeader());
      }
      blockOffset = taken.getOffset();
      nextBlockOffset = blockOffset + taken.getOnDiskSizeWithHeader();
      nextBlockSize = taken.getNextBlockOnDiskSize();
      previousBlockOffset = taken.getPrevBlockOffset();
      count = 0;
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
      begin = at;
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
