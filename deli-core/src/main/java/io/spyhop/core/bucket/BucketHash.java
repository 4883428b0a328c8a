package io.spyhop.core.bucket;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.common.hash.HashFunction;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * The hash functions that bucketed tables can have. A table names its own with its version, and
 * keeps it for ever: another one would find none of its rows. Guava's, as HBase ships it.
 */
public enum BucketHash {
  /**
   * Murmur3, 32 bits, seed 0, of the key's bytes; Guava's {@code murmur3_32_fixed}, which for bytes
   * is the reference implementation's.
   */
  MURMUR3_32("murmur3_32", 1, Hashing.murmur3_32_fixed());

  private final String text;
  private final HashFunction function;

  BucketHash(String name, int version, HashFunction function) {
    this.text = name + ":" + version;
    this.function = function;
  }

  /** The hash of a key as its user knows it. */
  public int of(byte[] key) {
    return of(key, 0, key.length);
  }

  /** The same of a part of an array. */
  int of(byte[] array, int offset, int length) {
    return function.hashBytes(array, offset, length).asInt();
  }

  /**
   * The function of that name and version.
   *
   * @param text as {@link #toString} gives it
   * @throws InvalidBucketsException if this version of Spyhop has no such function
   */
  public static BucketHash parse(String text) {
    return Arrays.stream(values())
        .filter(h -> h.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidBucketsException(
                    "unknown hash function '"
                        + text
                        + "'; this version has "
                        + Arrays.stream(values()).map(h -> h.text).collect(Collectors.toList())));
  }

  /** Its name and version, as a table's descriptor has them: {@code murmur3_32:1}. */
  @Override
  public String toString() {
    return text;
  }
}
