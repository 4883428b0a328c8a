package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.column.RowBits;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hbase.thirdparty.com.google.common.hash.HashCode;
import org.apache.hbase.thirdparty.com.google.common.hash.Hasher;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;
import org.apache.hbase.thirdparty.com.google.common.hash.PrimitiveSink;

/**
 * The rows of blocks of HFiles that conditions found. As files do not change, a condition finds the
 * same rows of them in each query, from any row on and with any limit. Those that were asked for
 * last are kept, as many as have room. Thread-safe.
 */
public final class KnownMatches {
  /** So many blocks that follow each other are kept together: an entry takes as much as one. */
  static final int TOGETHER = 64;

  /** Of an entry, on the heap: its key, its list of blocks, and the cache's own. */
  private static final int ENTRY_BYTES = 500;

  /** Of a block, beside its rows. */
  private static final int BLOCK_BYTES = 100;

  private static final byte[] NO_BOUND = {};

  private final long bytes;
  private final Cache<Key, Kept> known;
  private final LongAdder found = new LongAdder();
  private final LongAdder missed = new LongAdder();

  /**
   * @param bytes that they may take together, 0 for none
   */
  public KnownMatches(long bytes) {
    this.bytes = bytes;
    this.known =
        CacheBuilder.newBuilder()
            .maximumWeight(bytes)
            .weigher((Key key, Kept kept) -> kept.bytes())
            .build();
  }

  /** How many blocks queries asked for that were known. */
  public long found() {
    return found.sum();
  }

  /** How many blocks queries asked for that were not known. */
  public long missed() {
    return missed.sum();
  }

  /** The rows of a block that were found, a bit for each; copies, to be changed by the caller. */
  record Matches(long[] driven, long[] found) {}

  private record Key(HashCode question, int part) {}

  /** Of blocks that follow each other; null for those of which nothing is known. */
  private record Kept(Block[] blocks) {
    int bytes() {
      int sum = ENTRY_BYTES;
      for (Block b : blocks) {
        sum += b == null ? 0 : BLOCK_BYTES + b.driven.bytes() + b.found.bytes();
      }
      return sum;
    }
  }

  private record Block(RowSet driven, RowSet found) {}

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
      return new RowSet(rows.length, RowBits.numbers(rows, (int) count), null);
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

  /** A condition, for one query. Not thread-safe. */
  public final class Condition {
    private final BoundPredicate predicate;
    private KeyRanges keys;
    private byte[] digest;

    private Condition(BoundPredicate predicate) {
      this.predicate = predicate;
    }

    /**
     * What is known of it in an HFile.
     *
     * @param driving the keys of the driving index
     * @param files tells which files have a say, and how
     */
    InFiles in(KeyRanges driving, Consumer<PrimitiveSink> files) {
      return new InFiles(this, driving, files);
    }

    /** Most HFiles of a query are asked for the same keys, of which there may be many. */
    private byte[] digest(KeyRanges driving) {
      if (!driving.equals(keys)) {
        Hasher hasher = Hashing.sha256().newHasher();
        for (KeyRange range : driving.ranges()) {
          add(range.lower(), hasher);
          add(range.upper(), hasher);
        }
        digest = hasher.putBytes(PredicateCodec.encode(predicate)).hash().asBytes();
        keys = driving;
      }
      return digest;
    }
  }

  private static void add(ValueKey bound, Hasher hasher) {
    hasher.putInt(bound == null ? -1 : bound.bytes().length);
    hasher.putBytes(bound == null ? NO_BOUND : bound.bytes());
  }

  /** The rows that a condition found in an HFile. Not thread-safe. */
  final class InFiles {
    private final Condition condition;
    private final KeyRanges keys;
    private final Consumer<PrimitiveSink> files;
    private HashCode question;

    /** Of the blocks that were asked for last: which they are, and what is known of them. */
    private int part = -1;

    private Block[] blocks;
    private boolean more;

    private InFiles(Condition condition, KeyRanges keys, Consumer<PrimitiveSink> files) {
      this.condition = condition;
      this.keys = keys;
      this.files = files;
    }

    /** What was found in a block; null if that is not known. */
    Matches get(int block) {
      Block kept = bytes == 0 ? null : partOf(block)[block % TOGETHER];
      if (bytes > 0) {
        (kept == null ? missed : KnownMatches.this.found).increment();
      }
      return kept == null ? null : new Matches(kept.driven.rows(), kept.found.rows());
    }

    /**
     * Takes what was found in a block, to be kept when blocks elsewhere are asked for, or at the
     * end.
     *
     * @param driven the rows that the driving index found
     * @param found those of them of which the whole condition may be true by all files
     */
    void put(int block, long[] driven, long[] found) {
      if (bytes > 0) {
        partOf(block)[block % TOGETHER] = new Block(RowSet.of(driven), RowSet.of(found));
        more = true;
      }
    }

    private Block[] partOf(int block) {
      int wanted = block / TOGETHER;
      if (part != wanted) {
        end();
        part = wanted;
        Kept kept = known.getIfPresent(key());
        blocks = kept == null ? new Block[TOGETHER] : kept.blocks.clone();
      }
      return blocks;
    }

    /** Keeps what was taken. */
    void end() {
      if (more) {
        Kept others = known.getIfPresent(key());
        for (int i = 0; others != null && i < blocks.length; i++) {
          blocks[i] = blocks[i] == null ? others.blocks[i] : blocks[i];
        }
        known.put(key(), new Kept(blocks));
      }
      more = false;
      part = -1;
    }

    /** A digest, so that all keys are of one size; by it no question is taken for another. */
    private Key key() {
      if (question == null) {
        Hasher hasher = Hashing.sha256().newHasher().putBytes(condition.digest(keys));
        files.accept(hasher);
        question = hasher.hash();
      }
      return new Key(question, part);
    }
  }

  /** A condition that is asked. */
  public Condition of(BoundPredicate predicate) {
    return new Condition(predicate);
  }
}
