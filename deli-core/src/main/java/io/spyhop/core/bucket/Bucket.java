package io.spyhop.core.bucket;

import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;

/**
 * A bucket of an extendible hash table: all keys whose hash ends with certain bits (paper, section
 * III). On disk the range of rows that are led by these bits in reversed order. Immutable,
 * thread-safe; ordered as the ranges are, a parent before its daughters.
 *
 * @param bits the low-order bits of the hash
 * @param depth how many bits that are, from 0 to {@link BucketOptions#MAX_BITS}
 */
public record Bucket(int bits, int depth) implements Comparable<Bucket> {
  private static final int ALL = 1 << BucketKeys.PREFIX_BITS;

  private static final Comparator<Bucket> ORDER =
      Comparator.comparingInt(Bucket::first).thenComparingInt(Bucket::depth);

  /** Checks that the bits fit the depth. */
  public Bucket {
    if (depth > BucketOptions.MAX_BITS) {
      throw new InvalidBucketsException(
          "a bucket of " + depth + " bits: none has more than " + BucketOptions.MAX_BITS);
    }
    if (depth < 0 || bits < 0 || bits >= 1 << depth) {
      throw new InvalidBucketsException("bits " + bits + " are not " + depth + " bits of a hash");
    }
  }

  /** The bucket that has all keys. */
  public static Bucket whole() {
    return new Bucket(0, 0);
  }

  /**
   * The bucket whose rows a region holds.
   *
   * @param start the region's first row, inclusive; empty for the table's beginning
   * @param stop the row after its last, exclusive; empty for the table's end
   * @return empty if no bucket has these borders
   */
  public static Optional<Bucket> ofRange(byte[] start, byte[] stop) {
    if (!isBorder(start) || !isBorder(stop)) {
      return Optional.empty();
    }
    int first = start.length == 0 ? 0 : BucketKeys.value(start);
    int size = (stop.length == 0 ? ALL : BucketKeys.value(stop)) - first;
    int depth = BucketKeys.PREFIX_BITS - Integer.numberOfTrailingZeros(size);
    boolean fits = size > 0 && Integer.bitCount(size) == 1 && first % size == 0;
    return fits && depth <= BucketOptions.MAX_BITS
        ? Optional.of(new Bucket(bitsOf(first, depth), depth))
        : Optional.empty();
  }

  private static boolean isBorder(byte[] row) {
    return row.length == 0 || row.length == BucketOptions.WIDTH;
  }

  private static int bitsOf(int first, int depth) {
    int lowest = Integer.reverse(first << (Integer.SIZE - BucketKeys.PREFIX_BITS));
    return lowest & ((1 << depth) - 1);
  }

  /** The first of its prefixes. */
  private int first() {
    return BucketKeys.reversed(bits, depth);
  }

  private int size() {
    return ALL >>> depth;
  }

  /** Its first row, inclusive; empty for the table's beginning. */
  public byte[] start() {
    return first() == 0 ? HConstants.EMPTY_START_ROW : BucketKeys.bytes(first());
  }

  /** The row after its last, exclusive; empty for the table's end. */
  public byte[] stop() {
    int after = first() + size();
    return after == ALL ? HConstants.EMPTY_END_ROW : BucketKeys.bytes(after);
  }

  /** The row where it is split: the first of its upper daughter. */
  public byte[] middle() {
    return upper().start();
  }

  /**
   * Its daughter with a 0 for the next bit, which begins where it does.
   *
   * @throws InvalidBucketsException if it cannot be split, being as deep as any bucket can be
   */
  public Bucket lower() {
    return new Bucket(bits, depth + 1);
  }

  /** Its daughter with a 1 for the next bit; throws what {@link #lower} throws. */
  public Bucket upper() {
    return new Bucket(bits | 1 << depth, depth + 1);
  }

  /** The bucket of which it is a half; empty for the whole. */
  public Optional<Bucket> parent() {
    return depth == 0
        ? Optional.empty()
        : Optional.of(new Bucket(bits & ((1 << (depth - 1)) - 1), depth - 1));
  }

  /** Whether a stored row is one of its own. */
  public boolean holds(byte[] row) {
    BucketKeys.requireRow(row.length);
    int value = BucketKeys.value(row);
    return value >= first() && value < first() + size();
  }

  /**
   * Its size among buckets of which the deepest has the global depth: what share of all keys it
   * has, in units of the deepest (paper, section V-A).
   */
  public long normalisedSize(int globalDepth) {
    return 1L << (globalDepth - depth);
  }

  @Override
  public int compareTo(Bucket other) {
    return ORDER.compare(this, other);
  }

  /** Its bits, the highest first, as the paper has them: {@code 011}; {@code *} for the whole. */
  @Override
  public String toString() {
    return depth == 0 ? "*" : Integer.toBinaryString(1 << depth | bits).substring(1);
  }
}
