package io.spyhop.server.index.local;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The entries of one index over rows in an {@link Arena}: for each the key's and the row's address.
 * Rows are added in ascending order, so that a stable sort by key yields (key, row) order. Not
 * thread-safe.
 */
final class SortedEntries {
  private static final int INITIAL = 64;

  /** Three longs, half as much again for growing, and the positions that sorting needs. */
  private static final long BYTES_PER_ENTRY = 3 * Long.BYTES * 3 / 2 + 2 * Integer.BYTES;

  private final Arena arena;
  private long[] keys = new long[INITIAL];
  private long[] rows = new long[INITIAL];
  private long[] prefixes = new long[INITIAL];
  private int size;

  SortedEntries(Arena arena) {
    this.arena = arena;
  }

  /** Adds an entry; the key is copied into the arena. */
  void add(byte[] key, long row) {
    if (size == keys.length) {
      int larger = size + (size >> 1);
      keys = Arrays.copyOf(keys, larger);
      rows = Arrays.copyOf(rows, larger);
      prefixes = Arrays.copyOf(prefixes, larger);
    }
    long address = arena.begin(Bytes.SIZEOF_INT + key.length);
    arena.appendInt(key.length);
    arena.append(key, 0, key.length);
    keys[size] = address;
    rows[size] = row;
    prefixes[size] = prefix(key);
    size++;
  }

  /** The first eight bytes as a number that compares signed as the bytes do unsigned. */
  private static long prefix(byte[] key) {
    long p = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      p = p << 8 | (i < key.length ? key[i] & 0xffL : 0);
    }
    return p ^ Long.MIN_VALUE;
  }

  void clear() {
    size = 0;
  }

  /** Bytes held beside the arena at the most, those of sorting included. */
  long heapSize() {
    return size * BYTES_PER_ENTRY;
  }

  long key(int i) {
    return keys[i];
  }

  long row(int i) {
    return rows[i];
  }

  /** Positions of the entries in (key, row) order: a bottom-up merge sort without objects. */
  int[] sorted() {
    int[] from = new int[size];
    int[] to = new int[size];
    for (int i = 0; i < size; i++) {
      from[i] = i;
    }
    for (int width = 1; width < size && width > 0; width *= 2) {
      for (int start = 0; start < size; start += 2 * width) {
        merge(from, to, start, Math.min(start + width, size), Math.min(start + 2 * width, size));
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private void merge(int[] from, int[] to, int start, int middle, int end) {
    if (middle == end || compare(from[middle - 1], from[middle]) <= 0) {
      System.arraycopy(from, start, to, start, end - start);
      return;
    }
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right == end || left < middle && compare(from[left], from[right]) <= 0;
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  private int compare(int a, int b) {
    int c = Long.compare(prefixes[a], prefixes[b]);
    return c != 0 ? c : compareKeys(keys[a], keys[b]);
  }

  private int compareKeys(long a, long b) {
    byte[] ba = arena.array(a);
    byte[] bb = arena.array(b);
    int oa = arena.offset(a);
    int ob = arena.offset(b);
    return Bytes.compareTo(ba, oa + 4, Bytes.toInt(ba, oa), bb, ob + 4, Bytes.toInt(bb, ob));
  }
}
