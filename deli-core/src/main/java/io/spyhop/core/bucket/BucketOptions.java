package io.spyhop.core.bucket;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The bucket options of a table: a value of its descriptor, declared when it is created and never
 * changed but for the largest size of a bucket. Immutable, thread-safe.
 *
 * @param hash what its keys are hashed with
 * @param bits how many bits of the hash lead a row, which is how deep a bucket can be
 * @param initial how many buckets the table was created with
 * @param maxSize bytes of a bucket's HFiles beyond which it is split
 * @see <a href="file:../../../../../../../../docs/formats/buckets.md">docs/formats/buckets.md</a>
 */
public record BucketOptions(BucketHash hash, int bits, int initial, long maxSize) {
  /** The descriptor key. */
  public static final String KEY = "spyhop.buckets";

  /** How many bytes stand before a user's key. */
  public static final int WIDTH = 2;

  /**
   * The most bits of the hash in a row. An ordered scan merges as many sorted runs as there are
   * prefixes, 2^bits, and must have room for a page of each.
   */
  public static final int MAX_BITS = 12;

  /** As many buckets as the paper's static scheme has, 2.5 TB, unless there are more at first. */
  private static final int MOST_USUAL_BITS = 8;

  /** How often a bucket can be split, with the usual bits: a table can grow sixteenfold. */
  private static final int USUAL_SPLITS = 4;

  /** The buckets of a new table, if its creator does not say. */
  public static final int DEFAULT_INITIAL = 4;

  /** The paper's, and HBase's for regions: 10 GB. */
  public static final long DEFAULT_MAX_SIZE = 10L << 30;

  private static final String VERSION = "1";
  private static final int MAX_LENGTH = 1_000;
  private static final Set<String> KEYS = Set.of("v", "hash", "width", "bits", "initial", "max");

  /**
   * Checks the numbers.
   *
   * @throws InvalidBucketsException if they are out of their range, or the number of buckets is no
   *     power of two or more than the bits allow
   */
  public BucketOptions {
    Objects.requireNonNull(hash, "the hash function is null");
    if (bits < 1 || bits > MAX_BITS) {
      throw new InvalidBucketsException(
          "bits "
              + bits
              + " is not from 1 to "
              + MAX_BITS
              + ": so many bits of the hash lead a row");
    }
    if (initial < 1 || Integer.bitCount(initial) != 1) {
      throw new InvalidBucketsException("buckets " + initial + " is no power of two, such as 16");
    }
    if (initial > 1 << bits) {
      throw new InvalidBucketsException(
          "buckets "
              + initial
              + " is more than "
              + bits
              + " bits of the hash tell apart, "
              + (1 << bits));
    }
    if (maxSize < 1) {
      throw new InvalidBucketsException(
          "the largest size of a bucket, " + maxSize + ", is not 1 byte or more");
    }
  }

  /** The usual ones of a table whose creator says nothing. */
  public static BucketOptions usual() {
    return usual(DEFAULT_INITIAL);
  }

  /**
   * The usual ones of a table that begins with so many buckets. Each bucket can be split four times
   * or until there are 256, whichever is less: the fewer bits, the faster are ordered reads.
   *
   * @throws InvalidBucketsException if the number is no power of two, or over 4,096
   */
  public static BucketOptions usual(int initial) {
    int needed = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, initial));
    int bits = Math.max(needed, Math.min(needed + USUAL_SPLITS, MOST_USUAL_BITS));
    return new BucketOptions(
        BucketHash.MURMUR3_32, Math.min(bits, MAX_BITS), initial, DEFAULT_MAX_SIZE);
  }

  /** The same with another largest size of a bucket, in bytes. */
  public BucketOptions withMaxSize(long bytes) {
    return new BucketOptions(hash, bits, initial, bytes);
  }

  /** The same with so many bits of the hash in a row. */
  public BucketOptions withBits(int number) {
    return new BucketOptions(hash, number, initial, maxSize);
  }

  /** The row keys of such a table. */
  public BucketKeys keys() {
    return new BucketKeys(hash, bits);
  }

  /**
   * Of a table; empty if it is none with buckets.
   *
   * @throws InvalidBucketsException if they cannot be read: then nobody knows where its rows are
   */
  public static Optional<BucketOptions> of(TableDescriptor table) {
    String text = table.getValue(KEY);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(text));
    } catch (InvalidBucketsException e) {
      throw new InvalidBucketsException(
          "table '" + table.getTableName() + "': " + e.getMessage(), e);
    }
  }

  /** The text, as the descriptor has it. */
  public String text() {
    return "v="
        + VERSION
        + ";hash="
        + hash
        + ";width="
        + WIDTH
        + ";bits="
        + bits
        + ";initial="
        + initial
        + ";max="
        + maxSize;
  }

  /**
   * Reads the text.
   *
   * @throws InvalidBucketsException if it is none, or of a version or hash that is unknown here
   */
  public static BucketOptions parse(String text) {
    Map<String, String> parts = split(text);
    String version = required(parts, "v", text);
    if (!version.equals(VERSION)) {
      throw new InvalidBucketsException(
          "bucket options of version " + version + "; this code reads " + VERSION);
    }
    long width = number(parts, "width", text);
    if (width != WIDTH) {
      throw new InvalidBucketsException(
          "a prefix of " + width + " bytes; this code knows one of " + WIDTH);
    }
    return new BucketOptions(
        BucketHash.parse(required(parts, "hash", text)),
        whole(parts, "bits", text),
        whole(parts, "initial", text),
        number(parts, "max", text));
  }

  private static Map<String, String> split(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidBucketsException("bucket options of " + text.length() + " characters");
    }
    Map<String, String> parts = new HashMap<>();
    for (String part : text.split(";", KEYS.size() + 1)) {
      int eq = part.indexOf('=');
      String key = eq < 0 ? part : part.substring(0, eq);
      if (eq < 0 || !KEYS.contains(key)) {
        throw new InvalidBucketsException(
            "cannot read '" + part + "' in bucket options '" + text + "'");
      }
      if (parts.put(key, part.substring(eq + 1)) != null) {
        throw new InvalidBucketsException("two of '" + key + "' in bucket options '" + text + "'");
      }
    }
    return parts;
  }

  private static String required(Map<String, String> parts, String key, String text) {
    String value = parts.get(key);
    if (value == null) {
      throw new InvalidBucketsException("bucket options '" + text + "' lack '" + key + "'");
    }
    return value;
  }

  private static int whole(Map<String, String> parts, String key, String text) {
    long number = number(parts, key, text);
    if (number != (int) number) {
      throw new InvalidBucketsException(key + " " + number + " in bucket options is too large");
    }
    return (int) number;
  }

  private static long number(Map<String, String> parts, String key, String text) {
    String value = required(parts, key, text);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new InvalidBucketsException(
          key + " '" + value + "' in bucket options is no whole number", e);
    }
  }
}
