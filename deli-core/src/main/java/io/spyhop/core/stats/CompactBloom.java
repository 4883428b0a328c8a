package io.spyhop.core.stats;

import java.nio.ByteBuffer;

/**
 * Packed {@link BloomBits}: one byte for none or the power of two of its bits, then its set bits or
 * all of them, whichever is smaller. Stateless.
 */
final class CompactBloom {
  private static final int NONE = 0;

  /** Added to the power of two of a filter whose set bits follow one by one. */
  private static final int SPARSE = 0x40;

  private static final int MAX_SPARSE = 0xff;
  private static final int MAX_SPARSE_BITS = 1 << Short.SIZE;

  private CompactBloom() {}

  /** How many bytes {@link #write} writes. */
  static int size(BloomBits bloom) {
    if (bloom == null) {
      return 1;
    }
    int used = bloom.used();
    return isSparse(bloom, used) ? 2 + Short.BYTES * used : 1 + bloom.bits() / Byte.SIZE;
  }

  private static boolean isSparse(BloomBits bloom, int used) {
    return used <= MAX_SPARSE
        && bloom.bits() <= MAX_SPARSE_BITS
        && 1 + Short.BYTES * used < bloom.bits() / Byte.SIZE;
  }

  /** Writes a filter, or null. */
  static void write(ByteBuffer out, BloomBits bloom) {
    if (bloom == null) {
      out.put((byte) NONE);
      return;
    }
    int power = Integer.numberOfTrailingZeros(bloom.bits());
    int used = bloom.used();
    if (!isSparse(bloom, used)) {
      out.put((byte) power);
      for (long word : bloom.words()) {
        out.putLong(word);
      }
      return;
    }
    out.put((byte) (power | SPARSE)).put((byte) used);
    long[] words = bloom.words();
    for (int i = 0; i < words.length; i++) {
      for (long left = words[i]; left != 0; left &= left - 1) {
        out.putShort((short) (i * Long.SIZE + Long.numberOfTrailingZeros(left)));
      }
    }
  }

  /** Reads what {@link #write} wrote. */
  static BloomBits read(ByteBuffer in) {
    int head = in.get();
    if (head == NONE) {
      return null;
    }
    int bits = 1 << (head & ~SPARSE);
    if ((head & SPARSE) != 0) {
      return readSparse(in, bits);
    }
    long[] words = new long[bits / Long.SIZE];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.getLong();
    }
    return new BloomBits(words);
  }

  private static BloomBits readSparse(ByteBuffer in, int bits) {
    int used = Byte.toUnsignedInt(in.get());
    if (used == 0) {
      return BloomBits.empty(bits);
    }
    long[] words = new long[bits / Long.SIZE];
    for (int i = 0; i < used; i++) {
      int bit = Short.toUnsignedInt(in.getShort());
      words[bit / Long.SIZE] |= 1L << bit;
    }
    return new BloomBits(words);
  }

  /** Goes past what {@link #write} wrote. */
  static void skip(ByteBuffer in) {
    int head = in.get();
    if (head == NONE) {
      return;
    }
    int bytes =
        (head & SPARSE) == 0 ? (1 << head) / Byte.SIZE : Short.BYTES * Byte.toUnsignedInt(in.get());
    in.position(in.position() + bytes);
  }
}
