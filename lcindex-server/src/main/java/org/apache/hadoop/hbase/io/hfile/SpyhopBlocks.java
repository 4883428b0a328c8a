package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

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

  /** How a block of data is encoded; {@code NONE} for a block of anything else. */
  public static DataBlockEncoding encoding(HFileBlock block) {
    return block.getDataBlockEncoding();
  }
}
