package io.spyhop.server.index.stats;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.ByteBufferUtils;

/**
 * Some stored values that a column's statistics have already. Predicate columns often have few
 * values; to find one here allocates nothing, while its key would have to be made first. The first
 * value of a slot stays. Thread-safe.
 */
final class KnownValues {
  private static final int SLOTS_LOG = 8;
  private static final int SLOTS = 1 << SLOTS_LOG;
  private static final int MAX_LENGTH = 64;
  private static final int HASHED = 8;
  private static final int MULTIPLIER = 31;

  /** Null before the first value: most columns of most regions never have one. */
  private volatile AtomicReferenceArray<byte[]> values;

  /** Whether a cell's value was added. */
  boolean contains(Cell cell) {
    AtomicReferenceArray<byte[]> all = values;
    int length = cell.getValueLength();
    if (all == null || length > MAX_LENGTH) {
      return false;
    }
    byte[] known = all.get(slot(cell, length));
    return known != null && known.length == length && CellUtil.matchingValue(cell, known);
  }

  /** Takes a cell's value, which the statistics have, if there is room for it. */
  void add(Cell cell) {
    int length = cell.getValueLength();
    if (length > MAX_LENGTH) {
      return;
    }
    AtomicReferenceArray<byte[]> all = begun();
    int slot = slot(cell, length);
    if (all.get(slot) == null) {
      all.compareAndSet(slot, null, CellUtil.cloneValue(cell));
    }
  }

  private AtomicReferenceArray<byte[]> begun() {
    AtomicReferenceArray<byte[]> all = values;
    if (all != null) {
      return all;
    }
    synchronized (this) {
      if (values == null) {
        values = new AtomicReferenceArray<>(SLOTS);
      }
      return values;
    }
  }

  /** By the last bytes, which differ the most. */
  private static int slot(Cell cell, int length) {
    int hashed = Math.min(HASHED, length);
    int hash = length;
    if (cell instanceof ByteBufferExtendedCell c) {
      ByteBuffer buffer = c.getValueByteBuffer();
      int end = c.getValuePosition() + length;
      for (int i = end - hashed; i < end; i++) {
        hash = MULTIPLIER * hash + ByteBufferUtils.toByte(buffer, i);
      }
    } else {
      byte[] array = cell.getValueArray();
      int end = cell.getValueOffset() + length;
      for (int i = end - hashed; i < end; i++) {
        hash = MULTIPLIER * hash + array[i];
      }
    }
    return (hash ^ hash >>> SLOTS_LOG) & SLOTS - 1;
  }
}
