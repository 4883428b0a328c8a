package io.spyhop.server.memory;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Counts the bytes of the cells that a loop has passed since it last let go of their blocks. A
 * scanner keeps the blocks of all cells that it has handed out until its {@code shipped()} is
 * called, however few of the cells are of use; so that is called by bytes, as a block has one cell
 * at least, and a cell may have megabytes. Not thread-safe.
 */
public final class UnshippedBytes {
  /** A few blocks of usual size. */
  static final long MOST = 1 << 20;

  private long bytes;

  /**
   * Takes note of a cell that has been read, and is not needed any more.
   *
   * @return whether the blocks so far are to be let go of; then it begins anew
   */
  public boolean add(Cell cell) {
    return add(PrivateCellUtil.estimatedSerializedSizeOf(cell));
  }

  /** The same of so many bytes. */
  public boolean add(long more) {
    bytes += more;
    if (bytes < MOST) {
      return false;
    }
    bytes = 0;
    return true;
  }
}
