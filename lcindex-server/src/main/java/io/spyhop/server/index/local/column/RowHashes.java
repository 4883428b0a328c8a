package io.spyhop.server.index.local.column;

import org.apache.hbase.thirdparty.com.google.common.hash.HashFunction;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * Row keys by 32 bits of each: a row whose hash is not among them is none of them. Not thread-safe.
 */
public final class RowHashes implements HashedRows {
  private static final HashFunction HASH = Hashing.murmur3_32_fixed();
  private static final int FIRST_SLOTS = 64;

  /** Of sets without hashes, of which there are many: each memstore's logs have some. */
  private static final int[] NO_SLOTS = {};

  /** Of a sketch, so that one bit of sixteen is set at most. */
  private static final int SLOTS_A_WORD = 8;

  /** So many bits of a hash say which bit of a word it is. */
  private static final int BIT_BITS = 6;

  private int[] slots;
  private int count;

  /** A bit for each hash, which a few others share; null if there is none. */
  private long[] sketch;

  /** 0 marks a slot that is free. */
  private boolean hasZero;

  /** None yet. */
  public RowHashes() {
    this(NO_SLOTS);
  }

  /**
   * @param expected how many there will be, about
   */
  public RowHashes(int expected) {
    int wanted = Math.max(FIRST_SLOTS, 2 * expected);
    slots = new int[Integer.highestOneBit(wanted - 1) << 1];
  }

  private RowHashes(int[] slots) {
    this.slots = slots;
  }

  /** The hash of a row key, as columnar files hold it. */
  public static int of(byte[] b, int off, int len) {
    return HASH.hashBytes(b, off, len).asInt();
  }

  /** Adds one. */
  public void add(int hash) {
    if (hash == 0) {
      hasZero = true;
      return;
    }
    if (2 * count >= slots.length) {
      grow();
    }
    int at = slot(hash);
    if (slots[at] == 0) {
      slots[at] = hash;
      count++;
      if (sketch != null) {
        sketch[wordOf(hash)] |= 1L << hash;
      }
    }
  }

  /**
   * A set of these hashes, and perhaps of some that are added to this one meanwhile: reading it is
   * safe in another thread that has got it under a lock which is held to add.
   */
  public RowHashes shared() {
    RowHashes same = new RowHashes(slots);
    same.count = count;
    same.sketch = sketch;
    same.hasZero = hasZero;
    return same;
  }

  /** Whether it is among them. */
  @Override
  public boolean contains(int hash) {
    if (count == 0 || hash == 0) {
      return hash == 0 && hasZero;
    }
    boolean might = sketch == null || (sketch[wordOf(hash)] >>> hash & 1) != 0;
    return might && slots[slot(hash)] != 0;
  }

  /** From now on with a sketch, by which most hashes are told that are not among them. */
  public RowHashes sketched() {
    sketch = new long[slots.length / SLOTS_A_WORD];
    for (int hash : slots) {
      sketch[wordOf(hash)] |= 1L << hash;
    }
    return this;
  }

  private int wordOf(int hash) {
    return hash >>> BIT_BITS & sketch.length - 1;
  }

  /** Whether there are none. */
  @Override
  public boolean isEmpty() {
    return count == 0 && !hasZero;
  }

  @Override
  public long heapSize() {
    int words = sketch == null ? 0 : sketch.length;
    return (long) slots.length * Integer.BYTES + (long) words * Long.BYTES;
  }

  /** The slot that holds the hash, or that it would go to. */
  private int slot(int hash) {
    int at = hash & slots.length - 1;
    while (slots[at] != 0 && slots[at] != hash) {
      at = at + 1 & slots.length - 1;
    }
    return at;
  }

  private void grow() {
    int[] old = slots;
    slots = new int[Math.max(FIRST_SLOTS, 2 * old.length)];
    for (int hash : old) {
      if (hash != 0) {
        slots[slot(hash)] = hash;
      }
    }
    if (sketch != null) {
      sketched();
    }
  }
}
