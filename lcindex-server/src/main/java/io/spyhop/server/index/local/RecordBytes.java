package io.spyhop.server.index.local;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.ByteBufferUtils;

/**
 * The bytes of one record at a time. Those of a cell on the heap are where they are; those of a
 * cell in a buffer, which would make a new array each time one asks for them, are copied once, into
 * arrays that are used again. Valid until the next record is read; not thread-safe.
 */
final class RecordBytes {
  private byte[] rowCopy = new byte[64];
  private byte[] packedCopy = new byte[512];
  private byte[] row;
  private int rowOffset;
  private int rowLength;
  private byte[] packed;
  private int packedOffset;
  private int packedLength;

  /**
   * Takes a record.
   *
   * @throws CorruptIndexFileException if the cell's value is no packed row
   */
  void read(Cell cell) throws CorruptIndexFileException {
    rowLength = cell.getQualifierLength();
    packedLength = cell.getValueLength();
    if (cell instanceof ByteBufferExtendedCell buffered) {
      copyRow(buffered.getQualifierByteBuffer(), buffered.getQualifierPosition());
      copyPacked(buffered.getValueByteBuffer(), buffered.getValuePosition());
    } else {
      row = cell.getQualifierArray();
      rowOffset = cell.getQualifierOffset();
      packed = cell.getValueArray();
      packedOffset = cell.getValueOffset();
    }
    PackedRow.check(packed, packedOffset, packedLength);
  }

  private void copyRow(ByteBuffer from, int position) {
    rowCopy = atLeast(rowCopy, rowLength);
    ByteBufferUtils.copyFromBufferToArray(rowCopy, from, position, 0, rowLength);
    row = rowCopy;
    rowOffset = 0;
  }

  private void copyPacked(ByteBuffer from, int position) {
    packedCopy = atLeast(packedCopy, packedLength);
    ByteBufferUtils.copyFromBufferToArray(packedCopy, from, position, 0, packedLength);
    packed = packedCopy;
    packedOffset = 0;
  }

  private static byte[] atLeast(byte[] array, int length) {
    return array.length >= length ? array : new byte[Math.max(length, 2 * array.length)];
  }

  byte[] row() {
    return row;
  }

  int rowOffset() {
    return rowOffset;
  }

  int rowLength() {
    return rowLength;
  }

  byte[] packed() {
    return packed;
  }

  int packedOffset() {
    return packedOffset;
  }

  int packedLength() {
    return packedLength;
  }
}
