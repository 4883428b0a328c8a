package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.IndexBlockEncoding;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;

/** Opens an HFile's block index and blocks, which HBase keeps to its package. Stateless. */
public final class SpyhopBlocks {
  private SpyhopBlocks() {}

  /** How many blocks the root of the file's block index names; 0 if the file has no cells. */
  public static int count(HFile.Reader file) {
    HFileBlockIndex.BlockIndexReader index = file.getDataBlockIndexReader();
    return index == null ? 0 : index.getRootBlockCount();
  }

  /** The last of these that begins at or before a cell; -1 if the cell is before all of them. */
  public static int at(HFile.Reader file, Cell cell) {
    return file.getDataBlockIndexReader().rootBlockContainingKey(cell);
  }

  /** Whether the root names blocks of the index, and not of data. */
  public static boolean isDeep(HFile.Reader file) {
    return file.getTrailer().getNumDataIndexLevels() > 1;
  }

  /**
   * Which part of the file's data lies between two cells, to a block of data; over 0 and at most 1.
   * Reads the index's blocks on the way, and the blocks of data at both ends.
   *
   * @param from null for the file's beginning
   * @param to null for the file's end
   */
  public static double share(HFile.Reader file, Cell from, Cell to) throws IOException {
    FixedFileTrailer trailer = file.getTrailer();
    long first = trailer.getFirstDataBlockOffset();
    Place begin = from == null ? new Place(first, 0) : place(file, from);
    Place end = to == null ? new Place(trailer.getLastDataBlockOffset(), 0) : place(file, to);
    double block = Math.max(1, Math.max(begin.size, end.size));
    double all = trailer.getLastDataBlockOffset() - first + block;
    return Math.min(1, Math.max(block, end.offset - begin.offset + block) / all);
  }

  /** The position of a block of data in its HFile. */
  private record Place(long offset, long size) {}

  /** The block that has a cell, or would have it. */
  private static Place place(HFile.Reader file, Cell cell) throws IOException {
    DataBlockEncoding encoding = file.getEffectiveEncodingInCache(false);
    BlockWithScanInfo found =
        file.getDataBlockIndexReader()
            .loadDataBlockWithScanInfo(cell, null, true, true, false, encoding, file);
    if (found == null) {
      return new Place(file.getTrailer().getFirstDataBlockOffset(), 0);
    }
    HFileBlock block = found.getHFileBlock();
    try {
      return new Place(block.getOffset(), block.getOnDiskSizeWithHeader());
    } finally {
      block.release();
    }
  }

  /** Takes a block of data, as the file's index has it. */
  @FunctionalInterface
  public interface Indexed {
    /**
     * @param offset where it begins
     * @param size its bytes on disk, the header included
     * @param key at or before its first cell, and behind the last one of the block before
     */
    void block(long offset, int size, Cell key);
  }

  /** Whether {@link #forEachIndexed} knows the form of the file's index. */
  public static boolean isIndexed(HFile.Reader file) {
    byte[] encoding = file.getHFileInfo().get(HFileIndexBlockEncoder.INDEX_BLOCK_ENCODING);
    return encoding == null || IndexBlockEncoding.NONE.name().equals(Bytes.toString(encoding));
  }

  /** Tells of all blocks of data, in their order, by reading the index's blocks. */
  public static void forEachIndexed(HFile.Reader file, Indexed blocks) throws IOException {
    HFileBlockIndex.CellBasedKeyBlockIndexReader root = root(file);
    int below = file.getTrailer().getNumDataIndexLevels() - 1;
    for (int i = 0; i < root.getRootBlockCount(); i++) {
      long offset = root.getRootBlockOffset(i);
      int size = root.getRootBlockDataSize(i);
      if (below == 0) {
        blocks.block(offset, size, root.getRootBlockKey(i));
      } else {
        below(file, offset, size, below, blocks);
      }
    }
  }

  /** Reads the root again: the reader that the file has of it does not tell where blocks are. */
  private static HFileBlockIndex.CellBasedKeyBlockIndexReader root(HFile.Reader file)
      throws IOException {
    FixedFileTrailer trailer = file.getTrailer();
    HFileBlockIndex.CellBasedKeyBlockIndexReader root =
        new HFileBlockIndex.CellBasedKeyBlockIndexReader(
            file.getComparator(), trailer.getNumDataIndexLevels());
    HFileBlock.BlockIterator blocks =
        file.getUncachedBlockReader()
            .blockRange(
                trailer.getLoadOnOpenDataOffset(), file.length() - trailer.getTrailerSize());
    try {
      root.readMultiLevelIndexRoot(
          blocks.nextBlockWithBlockType(BlockType.ROOT_INDEX), trailer.getDataIndexCount());
    } finally {
      blocks.freeBlocks();
    }
    return root;
  }

  /** The entries of a block of the index: their count, where each begins, then one by one. */
  private static void below(
      HFile.Reader file, long indexOffset, int indexSize, int level, Indexed blocks)
      throws IOException {
    BlockType type = level == 1 ? BlockType.LEAF_INDEX : BlockType.INTERMEDIATE_INDEX;
    HFileBlock index =
        file.readBlock(indexOffset, indexSize, false, true, false, false, type, null);
    try {
      ByteBuff bytes = index.getBufferWithoutHeader();
      int start = bytes.position();
      int count = bytes.getInt(start);
      int entries = start + Integer.BYTES * (count + 2);
      for (int i = 0; i < count; i++) {
        int at = entries + bytes.getInt(start + Integer.BYTES * (i + 1));
        int end = entries + bytes.getInt(start + Integer.BYTES * (i + 2));
        long offset = bytes.getLong(at);
        int size = bytes.getInt(at + Long.BYTES);
        if (level > 1) {
          below(file, offset, size, level - 1, blocks);
        } else {
          byte[] key = new byte[end - at - Long.BYTES - Integer.BYTES];
          bytes.get(at + Long.BYTES + Integer.BYTES, key, 0, key.length);
          blocks.block(offset, size, new KeyValue.KeyOnlyKeyValue(key));
        }
      }
    } finally {
      index.release();
    }
  }

  /**
   * Bytes of the cells of a block that holds plain ones. In one of {@code ROW_INDEX_V1} they come
   * first, the offsets of rows behind them, and their size last.
   */
  public static int cellBytes(HFileBlock block) {
    int all = block.getUncompressedSizeWithoutHeader();
    return block.getBlockType() == BlockType.ENCODED_DATA
        ? block.getBufferReadOnly().getInt(block.headerSize() + all - Integer.BYTES)
        : all;
  }

  /** How a block of data is encoded; {@code NONE} for a block of anything else. */
  public static DataBlockEncoding encoding(HFileBlock block) {
    return block.getDataBlockEncoding();
  }
}
