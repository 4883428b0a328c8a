package io.spyhop.server.index.local;

import io.spyhop.core.io.IoFunction;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.index.local.column.RowHashes;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The rows of an HFile that others of its store may have, too, by the hashes in their columnar
 * files: found once for two files, as files do not change, and kept although others may be gone by
 * now. A bit for each row. Thread-safe.
 */
final class SharedRows {
  /** The hashes of more rows are not gathered in memory. */
  private static final long MOST_ROWS = 1 << 22;

  /**
   * The hashes of a file's rows.
   *
   * @param rows how many there are
   * @param blocks in how many blocks
   * @param ofBlock reads those of a block
   */
  record Hashes(long rows, int blocks, IoFunction<Integer, int[]> ofBlock) {}

  private final Set<SharedRows> met = Collections.newSetFromMap(new WeakHashMap<>());
  private long[][] rows = {};
  private long count;

  /** Whether the rows shared with another file are among those that are known. */
  synchronized boolean isKnown(SharedRows other) {
    return met.contains(other);
  }

  /** The known rows by block; a block is null, or is missing at the end, if it has none. */
  synchronized long[][] rows() {
    return rows;
  }

  /** How many there are. */
  synchronized long count() {
    return count;
  }

  private synchronized void add(SharedRows other, long[][] more) {
    long[][] all = new long[Math.max(rows.length, more.length)][];
    for (int block = 0; block < all.length; block++) {
      all[block] = union(block < rows.length ? rows[block] : null, more[block]);
    }
    rows = all;
    count = Arrays.stream(all).filter(Objects::nonNull).mapToLong(RowBits::count).sum();
    met.add(other);
  }

  private static long[] union(long[] known, long[] more) {
    if (known == null || more == null) {
      return known == null ? more : known;
    }
    long[] both = known.clone();
    RowBits.or(both, more);
    return both;
  }

  /**
   * Finds the rows that two HFiles may share, and adds them to both.
   *
   * @return false if both have too many rows
   */
  static boolean find(SharedRows ofOne, Hashes one, SharedRows ofOther, Hashes other)
      throws IOException {
    if (one.rows() > other.rows()) {
      return find(ofOther, other, ofOne, one);
    }
    if (one.rows() > MOST_ROWS) {
      return false;
    }
    RowHashes few = new RowHashes((int) one.rows());
    for (int block = 0; block < one.blocks(); block++) {
      for (int hash : one.ofBlock().apply(block)) {
        few.add(hash);
      }
    }
    RowHashes both = new RowHashes();
    ofOther.add(ofOne, shared(other, few, both));
    ofOne.add(ofOther, shared(one, both, both));
    return true;
  }

  /**
   * The rows of a file whose hashes are among some.
   *
   * @param found takes these hashes
   */
  private static long[][] shared(Hashes file, RowHashes some, RowHashes found) throws IOException {
    long[][] shared = new long[file.blocks()][];
    for (int block = 0; block < shared.length && !some.isEmpty(); block++) {
      int[] hashes = file.ofBlock().apply(block);
      for (int i = 0; i < hashes.length; i++) {
        if (some.contains(hashes[i])) {
          shared[block] = shared[block] == null ? RowBits.none(hashes.length) : shared[block];
          RowBits.set(shared[block], i);
          found.add(hashes[i]);
        }
      }
    }
    return shared;
  }
}
