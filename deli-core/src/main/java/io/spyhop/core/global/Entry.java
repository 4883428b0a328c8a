package io.spyhop.core.global;

import io.spyhop.core.value.ComposedKey;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An entry of a global index: a value's key, the row that has or had the value, and the timestamp
 * of that cell. Immutable if nobody writes to its arrays, thread-safe.
 *
 * @param valueKey the bytes of a {@link io.spyhop.core.value.ValueKey}
 * @param row the base table's row key
 * @param timestamp the base cell's
 */
public record Entry(byte[] valueKey, byte[] row, long timestamp) {
  /** How many bytes value key and row key may have together. */
  public static final int MAX_LENGTH = HConstants.MAX_ROW_LENGTH - 1_024;

  /** The bytes of two arrays' headers, the entry and its place in a list. */
  private static final int OBJECTS = 80;

  private static final byte[] NO_FLAGS = {};

  /** Not everybody may know of the base cell (docs/formats/index-table.md). */
  private static final byte[] LABELLED = {0x01};

  /**
   * The entry of an index table's row.
   *
   * @throws CorruptFrameException if the row does not begin with a whole value key
   */
  public static Entry of(byte[] indexRow, int off, int len, long timestamp)
      throws CorruptFrameException {
    int value;
    try {
      value = ComposedKey.valueKeyLength(indexRow, off, len);
    } catch (IllegalArgumentException e) {
      throw new CorruptFrameException("row of an index table: " + e.getMessage(), e);
    }
    return new Entry(
        Arrays.copyOfRange(indexRow, off, off + value),
        Arrays.copyOfRange(indexRow, off + value, off + len),
        timestamp);
  }

  /** The row key in the index table. */
  public byte[] indexRow() {
    return ComposedKey.compose(valueKey, row);
  }

  /**
   * The index table's put.
   *
   * @param labelled whether the base cell carries a visibility label
   */
  public Put put(boolean labelled) {
    return new Put(indexRow(), true)
        .addColumn(
            IndexTable.ENTRIES, IndexTable.QUALIFIER, timestamp, labelled ? LABELLED : NO_FLAGS)
        .setDurability(Durability.SYNC_WAL);
  }

  /** The index table's delete of exactly that timestamp; the caller syncs the log. */
  public Delete delete(ServerTime fence) {
    return new Delete(indexRow())
        .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, timestamp)
        .setDurability(Durability.ASYNC_WAL)
        .setAttribute(ServerTime.FENCE, fence.encode());
  }

  /** Whether the cell of an entry says that the base cell carries a visibility label. */
  public static boolean isLabelled(Cell entry) {
    return entry.getValueLength() > 0
        && (entry.getValueArray()[entry.getValueOffset()] & LABELLED[0]) != 0;
  }

  /**
   * Whether the index table can hold it. HBase's row keys end at 32,767 bytes, and its clients
   * cannot find the region of one that long, as they look for it behind a table's name.
   */
  public boolean fits() {
    return valueKey.length + row.length <= MAX_LENGTH;
  }

  /**
   * Whether a cell can have such an entry: its row in the index table then names this value and
   * this row and no others, and its timestamp this one. An entry that a caller asks to have deleted
   * must be.
   */
  public boolean isSound() {
    return valueKey != null
        && row != null
        && row.length > 0
        && row.length <= HConstants.MAX_ROW_LENGTH
        && fits()
        && timestamp >= 0
        && timestamp < HConstants.LATEST_TIMESTAMP
        && isCutRightly();
  }

  private boolean isCutRightly() {
    byte[] indexRow = indexRow();
    try {
      return ComposedKey.valueKeyLength(indexRow, 0, indexRow.length) == valueKey.length;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** How much memory it takes, about. */
  public long bytes() {
    return (long) OBJECTS + valueKey.length + row.length;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Entry other
        && timestamp == other.timestamp
        && Arrays.equals(valueKey, other.valueKey)
        && Arrays.equals(row, other.row);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(valueKey), Arrays.hashCode(row), timestamp);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(valueKey) + " + " + Bytes.toStringBinary(row) + " @" + timestamp;
  }
}
