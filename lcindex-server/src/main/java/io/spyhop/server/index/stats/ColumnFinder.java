package io.spyhop.server.index.stats;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tells the columns of one family's cells. Every cell that is written or compacted is asked for:
 * where its qualifier stands is computed at each call, so it is asked for once. Immutable,
 * thread-safe.
 */
final class ColumnFinder {
  private final byte[][] qualifiers;

  ColumnFinder(List<StatisticsColumn> columns) {
    this.qualifiers = columns.stream().map(c -> c.name().qualifier()).toArray(byte[][]::new);
  }

  /** The place of a cell's column in the list, or -1. */
  int find(Cell cell) {
    int length = cell.getQualifierLength();
    for (int i = 0; i < qualifiers.length; i++) {
      if (qualifiers[i].length == length) {
        return find(i, cell, length);
      }
    }
    return -1;
  }

  private int find(int from, Cell cell, int length) {
    if (cell instanceof ByteBufferExtendedCell c) {
      return find(from, c.getQualifierByteBuffer(), c.getQualifierPosition(), length);
    }
    byte[] array = cell.getQualifierArray();
    int offset = cell.getQualifierOffset();
    for (int i = from; i < qualifiers.length; i++) {
      byte[] q = qualifiers[i];
      if (q.length == length && Bytes.equals(array, offset, length, q, 0, length)) {
        return i;
      }
    }
    return -1;
  }

  private int find(int from, ByteBuffer buffer, int position, int length) {
    for (int i = from; i < qualifiers.length; i++) {
      byte[] q = qualifiers[i];
      if (q.length == length && ByteBufferUtils.equals(buffer, position, length, q, 0, length)) {
        return i;
      }
    }
    return -1;
  }
}
