package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.Cell;

/**
 * What an HFile's block index says that is in memory anyway. HBase keeps the index's class to its
 * package. Stateless.
 */
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
}
