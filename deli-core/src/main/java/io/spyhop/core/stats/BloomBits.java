package io.spyhop.core.stats;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A bloom filter of value keys (paper, section 4.1). Immutable, thread-safe.
 *
 * <p>The number of bits is a power of two and a key's bit is its hash modulo that number, so that a
 * filter can be made larger or smaller without its keys: twice as large by repeating it, half as
 * large by laying one half over the other. The union of filters of different sizes is as large as
 * the largest.
 */
public final class BloomBits {
  /** How many bits of a key are set. */
  public static final int HASHES = 4;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** One of each size, from the least: regions have many, and none changes. */
  private static final List<BloomBits> EMPTY =
      IntStream.iterate(BloomSize.MIN_BITS, bits -> bits <= BloomSize.MAX_BITS, bits -> 2 * bits)
          .mapToObj(bits -> new BloomBits(new long[bits / Long.SIZE]))
          .toList();

  private final long[] words;

  /**
   * @param words 64 bits each, bit 0 first; a power of two of them; taken over
   */
  public BloomBits(long[] words) {
    checkBits(words.length * 64L);
    this.words = words;
  }

  /** A filter without keys. */
  public static BloomBits empty(int bits) {
    checkBits(bits);
    return EMPTY.get(
        Integer.numberOfTrailingZeros(bits) - Integer.numberOfTrailingZeros(BloomSize.MIN_BITS));
  }

  private static void checkBits(long bits) {
    if (bits < BloomSize.MIN_BITS || bits > BloomSize.MAX_BITS || Long.bitCount(bits) != 1) {
      throw new IllegalArgumentException(
          "a bloom filter of "
              + bits
              + " bits: use a power of two from 64 to "
              + BloomSize.MAX_BITS);
    }
  }

  /** The hash of a key, which {@link #bit} spreads over a filter's bits. */
  public static long hash(byte[] key) {
    long h = FNV_OFFSET;
    for (byte b : key) {
      h = (h ^ (b & 0xff)) * FNV_PRIME;
    }
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }

  /** The i-th bit of a hash in a filter of that many bits. */
  public static int bit(long hash, int i, int bits) {
    return ((int) hash + i * ((int) (hash >>> 32) | 1)) & (bits - 1);
  }

  /** How many bits the filter has. */
  public int bits() {
    return words.length * 64;
  }

  /** How many bits are set. */
  public int used() {
    return Arrays.stream(words).mapToInt(Long::bitCount).sum();
  }

  /** Whether a key may be in it. */
  public boolean mightContain(byte[] key) {
    long hash = hash(key);
    for (int i = 0; i < HASHES; i++) {
      int bit = bit(hash, i, bits());
      if ((words[bit >> 6] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  /** The keys of both. */
  public BloomBits union(BloomBits other) {
    int length = Math.max(words.length, other.words.length);
    long[] both = new long[length];
    for (int i = 0; i < length; i++) {
      both[i] = words[i & (words.length - 1)] | other.words[i & (other.words.length - 1)];
    }
    return new BloomBits(both);
  }

  /** The same keys and one more. */
  public BloomBits with(byte[] key) {
    long[] more = words.clone();
    add(more, key);
    return new BloomBits(more);
  }

  /** Sets the bits of a key in the words of a filter that is being made. */
  static void add(long[] words, byte[] key) {
    long hash = hash(key);
    for (int i = 0; i < HASHES; i++) {
      int bit = bit(hash, i, words.length * 64);
      words[bit >> 6] |= 1L << bit;
    }
  }

  /** Half as large, the same keys and more false ones. */
  BloomBits folded() {
    int half = words.length / 2;
    long[] folded = Arrays.copyOf(words, half);
    for (int i = 0; i < half; i++) {
      folded[i] |= words[half + i];
    }
    return new BloomBits(folded);
  }

  /** 64 bits each, bit 0 first; nobody may write to it. */
  long[] words() {
    return words;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(words.length);
    for (long w : words) {
      out.writeLong(w);
    }
  }

  static BloomBits read(DataInputStream in) throws IOException {
    long[] words = new long[Frame.readCount(in, Long.BYTES)];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.readLong();
    }
    return new BloomBits(words);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof BloomBits other && Arrays.equals(words, other.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return used() + "/" + bits() + " bits";
  }
}
