package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.column.RowBits;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hbase.thirdparty.com.google.common.hash.HashCode;
import org.apache.hbase.thirdparty.com.google.common.hash.Hasher;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * The rows of blocks of HFiles that conditions found. As files do not change, the same condition
 * finds the same rows of them, whoever asks, from which row on and for how many. Those that were
 * asked for last are kept, as many as have room. Thread-safe.
 */
public final class KnownMatches {
  /** Of a block, on the heap: keys, sets and the cache's entry. */
  private static final int ENTRY_BYTES = 250;

  private static final byte[] NO_BOUND = {};

  private final Cache<Key, Kept> known;

  /**
   * @param bytes that they may take together, 0 for none
   */
  public KnownMatches(long bytes) {
    known =
        CacheBuilder.newBuilder()
            .maximumWeight(bytes)
            .weigher((Key key, Kept kept) -> kept.bytes())
            .build();
  }

  /** What was found in a block, a bit for each row; for who gets it to change. */
  record Matches(long[] driven, long[] found) {}

  private record Key(List<Object> files, HashCode condition, int block) {}

  private record Kept(RowSet driven, RowSet found) {
    int bytes() {
      return ENTRY_BYTES + driven.bytes() + found.bytes();
    }
  }

  /**
   * A set of rows.
   *
   * @param some their numbers, where they are few; else null
   * @param bits a bit for each, where they are many; else null
   */
  private record RowSet(int words, char[] some, long[] bits) {
    static RowSet of(long[] rows) {
      long count = RowBits.count(rows);
      if (count * Character.BYTES >= (long) rows.length * Long.BYTES) {
        return new RowSet(rows.length, null, rows.clone());
      }
      char[] some = new char[(int) count];
      int row = -1;
      for (int i = 0; i < some.length; i++) {
        row = RowBits.next(rows, row + 1);
        some[i] = (char) row;
      }
      return new RowSet(rows.length, some, null);
    }

    long[] rows() {
      if (bits != null) {
        return bits.clone();
      }
      long[] rows = new long[words];
      for (char row : some) {
        RowBits.set(rows, row);
      }
      return rows;
    }

    int bytes() {
      return bits == null ? some.length * Character.BYTES : bits.length * Long.BYTES;
    }
  }

  /** What is known of one condition and the same files. */
  final class OfCondition {
    private final List<Object> files;
    private final HashCode condition;

    private OfCondition(List<Object> files, HashCode condition) {
      this.files = files;
      this.condition = condition;
    }

    /** What was found in a block; null if that is not known. */
    Matches get(int block) {
      Kept kept = known.getIfPresent(new Key(files, condition, block));
      return kept == null ? null : new Matches(kept.driven.rows(), kept.found.rows());
    }

    /**
     * Keeps what was found in a block.
     *
     * @param driven the rows that the driving index found
     * @param found those of them of which the whole condition may be true by all files
     */
    void put(int block, long[] driven, long[] found) {
      known.put(new Key(files, condition, block), new Kept(RowSet.of(driven), RowSet.of(found)));
    }
  }

  /**
   * What is known of a condition.
   *
   * @param files all files that have a say, and how, by identity
   * @param keys of the driving index
   * @param predicate reads a column
   */
  OfCondition of(List<Object> files, KeyRanges keys, BoundPredicate predicate) {
    Hasher condition = Hashing.sha256().newHasher(); // by it none is taken for another
    for (KeyRange range : keys.ranges()) {
      add(range.lower(), condition);
      add(range.upper(), condition);
    }
    condition.putBytes(PredicateCodec.encode(predicate));
    return new OfCondition(List.copyOf(files), condition.hash());
  }

  private static void add(ValueKey bound, Hasher condition) {
    condition.putInt(bound == null ? -1 : bound.bytes().length);
    condition.putBytes(bound == null ? NO_BOUND : bound.bytes());
  }
}
