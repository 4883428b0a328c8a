package io.spyhop.client.internal.bucket;

import io.spyhop.core.bucket.BucketOptions;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * A stored cell whose row begins behind the prefix. Nothing is copied. Immutable as the cell is.
 */
final class UserCell implements Cell {
  private static final long OVERHEAD = ClassSize.align(ClassSize.OBJECT + ClassSize.REFERENCE);

  private final Cell stored;

  UserCell(Cell stored) {
    this.stored = stored;
  }

  @Override
  public byte[] getRowArray() {
    return stored.getRowArray();
  }

  @Override
  public int getRowOffset() {
    return stored.getRowOffset() + BucketOptions.WIDTH;
  }

  @Override
  public short getRowLength() {
    return (short) (stored.getRowLength() - BucketOptions.WIDTH);
  }

  @Override
  public byte[] getFamilyArray() {
    return stored.getFamilyArray();
  }

  @Override
  public int getFamilyOffset() {
    return stored.getFamilyOffset();
  }

  @Override
  public byte getFamilyLength() {
    return stored.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    return stored.getQualifierArray();
  }

  @Override
  public int getQualifierOffset() {
    return stored.getQualifierOffset();
  }

  @Override
  public int getQualifierLength() {
    return stored.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    return stored.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    return stored.getTypeByte();
  }

  @Override
  public Type getType() {
    return stored.getType();
  }

  @Override
  public long getSequenceId() {
    return stored.getSequenceId();
  }

  @Override
  public byte[] getValueArray() {
    return stored.getValueArray();
  }

  @Override
  public int getValueOffset() {
    return stored.getValueOffset();
  }

  @Override
  public int getValueLength() {
    return stored.getValueLength();
  }

  @Override
  public int getSerializedSize() {
    return stored.getSerializedSize() - BucketOptions.WIDTH;
  }

  @Override
  public byte[] getTagsArray() {
    return stored.getTagsArray();
  }

  @Override
  public int getTagsOffset() {
    return stored.getTagsOffset();
  }

  @Override
  public int getTagsLength() {
    return stored.getTagsLength();
  }

  @Override
  public long heapSize() {
    return OVERHEAD + stored.heapSize();
  }

  /** As HBase's own cells: by their keys. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Cell other && CellUtil.equals(this, other);
  }

  /** As of HBase's own cells with such a key; values do not count. */
  @Override
  public int hashCode() {
    int row = Bytes.hashCode(getRowArray(), getRowOffset(), getRowLength());
    int family = Bytes.hashCode(getFamilyArray(), getFamilyOffset(), getFamilyLength());
    int name = Bytes.hashCode(getQualifierArray(), getQualifierOffset(), getQualifierLength());
    return 31 * row + 31 * family + 31 * name + 31 * (int) getTimestamp() + 31 * getTypeByte();
  }

  @Override
  public String toString() {
    return CellUtil.toString(this, false);
  }
}
