package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.column.RowHashes;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hbase.thirdparty.com.google.common.hash.HashFunction;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * Row keys by 64 bits of each, for asking whether one may be among them: "no" is certain, "yes" is
 * wrong once in some billions of billions. A row takes 16 to 32 bytes, whatever its key's length,
 * and 8 to 16 more with its hash. Not thread-safe.
 */
public final class RowSet {
  private static final int FIRST_SLOTS = 64;

  /** Nobody who chooses row keys knows which of them meet. */
  private final HashFunction hash = Hashing.murmur3_128(ThreadLocalRandom.current().nextInt());

  private final boolean hashed;
  private final RowHashes hashes = new RowHashes();
  private long[] slots = new long[0];
  private int count;

  /**
   * @param hashed whether {@link #hashes} are wanted, too
   */
  RowSet(boolean hashed) {
    this.hashed = hashed;
  }

  /** Adds a cell's row. */
  void addRowOf(Cell cell) {
    if (2 * count >= slots.length) {
      grow();
    }
    long h = hash(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
    int at = slot(h);
    if (slots[at] == 0) {
      slots[at] = h;
      count++;
      if (hashed) {
        hashes.add(RowHashes.of(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()));
      }
    }
  }

  /** The rows as columnar files know rows. */
  RowHashes hashes() {
    return hashes;
  }

  /** Whether the row may have been added. */
  boolean mayContain(byte[] b, int off, int len) {
    return count > 0 && slots[slot(hash(b, off, len))] != 0;
  }

  private long hash(byte[] b, int off, int len) {
    long h = hash.hashBytes(b, off, len).asLong();
    return h == 0 ? 1 : h;
  }

  /** The slot that holds the hash, or that it would go to. */
  private int slot(long h) {
    int at = (int) h & slots.length - 1;
    while (slots[at] != 0 && slots[at] != h) {
      at = at + 1 & slots.length - 1;
    }
    return at;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.max(FIRST_SLOTS, 2 * old.length)];
    for (long h : old) {
      if (h != 0) {
        slots[slot(h)] = h;
      }
    }
  }

  /** Bytes on the heap, about. */
  public long heapSize() {
    return (long) slots.length * Long.BYTES + hashes.heapSize();
  }
}
