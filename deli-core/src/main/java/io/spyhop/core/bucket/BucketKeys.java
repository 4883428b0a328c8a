package io.spyhop.core.bucket;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;

/**
 * The row keys of a bucketed table: what its users call a row is stored behind a prefix of {@link
 * BucketOptions#WIDTH} bytes, the low-order bits of the key's hash in reversed order, the lowest
 * one first; bits beyond those are 0. So all rows whose hashes end with the same bits lie together,
 * and taking one bit more cuts their range in its middle. Immutable, thread-safe.
 *
 * <p>Rows of one prefix are in the order of their users' keys; a table has {@link #prefixes()} of
 * them, and an ordered scan merges as many runs.
 */
public final class BucketKeys {
  /** The longest key of a user: HBase's longest row without the prefix. */
  public static final int MAX_LENGTH = HConstants.MAX_ROW_LENGTH - BucketOptions.WIDTH;

  /** Bits of the whole prefix. */
  static final int PREFIX_BITS = Byte.SIZE * BucketOptions.WIDTH;

  private final BucketHash hash;
  private final int bits;
  private final String text;

  BucketKeys(BucketHash hash, int bits) {
    this.hash = hash;
    this.bits = bits;
    this.text = bits + " bits of " + hash;
  }

  /** Such as {@code 8 bits of murmur3_32:1}: the same if rows of the same keys are. */
  @Override
  public String toString() {
    return text;
  }

  /** How many different prefixes there are. */
  public int prefixes() {
    return 1 << bits;
  }

  /**
   * The stored row of a user's key.
   *
   * @throws InvalidBucketsException if it is empty, or too long with its prefix
   */
  public byte[] stored(byte[] key) {
    return stored(key, 0, key.length);
  }

  /** The same of a part of an array. */
  public byte[] stored(byte[] array, int offset, int length) {
    if (length == 0) {
      throw new InvalidBucketsException("a row key of a bucketed table cannot be empty");
    }
    if (length > MAX_LENGTH) {
      throw new InvalidBucketsException(
          "a row key of "
              + length
              + " bytes is too long: behind the prefix of a bucketed table there is room for "
              + MAX_LENGTH);
    }
    byte[] key = Arrays.copyOfRange(array, offset, offset + length);
    return led(reversed(hash.of(key), bits), key);
  }

  /** Whether a row is stored where those look who ask for its key. */
  public boolean fits(byte[] row) {
    int length = row.length - BucketOptions.WIDTH;
    return length > 0 && value(row) == reversed(hash.of(row, BucketOptions.WIDTH, length), bits);
  }

  /** The bits of a hash that lead a row, the lowest first, as a number of the prefix's width. */
  static int reversed(int hash, int bits) {
    int all = Integer.reverse(hash) >>> (Integer.SIZE - PREFIX_BITS);
    return all & -(1 << (PREFIX_BITS - bits));
  }

  private static byte[] led(int prefix, byte[] key) {
    byte[] row = new byte[BucketOptions.WIDTH + key.length];
    row[0] = (byte) (prefix >>> Byte.SIZE);
    row[1] = (byte) prefix;
    System.arraycopy(key, 0, row, BucketOptions.WIDTH, key.length);
    return row;
  }

  /**
   * The key of a stored row as its user knows it.
   *
   * @throws InvalidBucketsException if it is no row of a bucketed table, as it is too short
   */
  public byte[] user(byte[] row) {
    requireRow(row.length);
    return Arrays.copyOfRange(row, BucketOptions.WIDTH, row.length);
  }

  /** Throws if a stored row is too short to be one of a bucketed table. */
  static void requireRow(int length) {
    if (length <= BucketOptions.WIDTH) {
      throw new InvalidBucketsException(
          "a stored row of "
              + length
              + " bytes has no key behind the prefix: it was not written as a bucketed table's");
    }
  }

  /** The first bytes of a row, at least two, as a number. */
  static int value(byte[] row) {
    return (row[0] & 0xff) << Byte.SIZE | (row[1] & 0xff);
  }

  /** A number of the prefix's width as bytes. */
  static byte[] bytes(int value) {
    return led(value, new byte[0]);
  }

  /**
   * A bound of users' keys that is no longer than any key, and has the same keys below it: of the
   * keys that a longer one begins with, the first one behind them.
   *
   * @param bound as HBase takes it, one byte more than the longest row at most, as who wants an
   *     inclusive bound to be exclusive appends a 0
   * @return empty if all keys are below it
   */
  public static Optional<byte[]> shortened(byte[] bound) {
    if (bound.length <= MAX_LENGTH) {
      return Optional.of(bound);
    }
    int last = MAX_LENGTH - 1;
    while (last >= 0 && bound[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return Optional.empty();
    }
    byte[] behind = Arrays.copyOf(bound, last + 1);
    behind[last]++;
    return Optional.of(behind);
  }

  /**
   * Where the rows of one prefix begin whose keys are at least a user's.
   *
   * @param prefix from 0 to {@link #prefixes()} - 1
   * @param from inclusive; empty for all
   * @throws InvalidBucketsException if it is longer than any key
   */
  public byte[] start(int prefix, byte[] from) {
    return prefix == 0 && from.length == 0
        ? HConstants.EMPTY_START_ROW
        : bound(prefix << (PREFIX_BITS - bits), from);
  }

  /**
   * Where the rows of one prefix end whose keys are less than a user's.
   *
   * @param prefix from 0 to {@link #prefixes()} - 1
   * @param to exclusive; empty for all
   * @return exclusive; empty for the end of the table
   * @throws InvalidBucketsException if it is longer than any key
   */
  public byte[] stop(int prefix, byte[] to) {
    if (to.length > 0) {
      return bound(prefix << (PREFIX_BITS - bits), to);
    }
    return prefix + 1 == prefixes()
        ? HConstants.EMPTY_END_ROW
        : bytes((prefix + 1) << (PREFIX_BITS - bits));
  }

  /** Bounds are as long as keys at most: HBase takes no longer rows. */
  private static byte[] bound(int value, byte[] key) {
    if (key.length > MAX_LENGTH) {
      throw new InvalidBucketsException(
          "a bound of "
              + key.length
              + " bytes is longer than any row key of a bucketed table, "
              + MAX_LENGTH);
    }
    return led(value, key);
  }
}
