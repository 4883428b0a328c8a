package io.spyhop.core.stats;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.ValueType;
import java.nio.ByteBuffer;

/**
 * Both sources of one column of a region. A condition on one column is true of a cell, and that is
 * in one of the two sources: each is judged alone, and lets less pass than their union would.
 * Immutable.
 *
 * @param files of all HFiles
 * @param memstore of all memstores
 */
record CompactColumn(ColumnSummary files, ColumnSummary memstore) {
  private static final int UNDECODABLE = 1;
  private static final int UNKEYABLE = 2;
  private static final int ABSENT = 4;
  private static final int KEYED = 8;

  /** A filter with more of its bits set, in parts of 64, passes more than half of all keys. */
  private static final int USELESS = 54;

  /** The same where it passes a third. */
  private static final int FOLDED_ENOUGH = 48;

  private static final int PARTS = 64;

  /** Bytes of a filter that are not worth making fewer: those of the smallest, or few set bits. */
  private static final int SMALL = 1 + Long.BYTES;

  /** How many bytes {@link #write} writes. */
  int size() {
    return size(files) + size(memstore);
  }

  private static int size(ColumnSummary c) {
    int keys = c.min() == null ? 0 : sizeOfKey(c.min()) + sizeOfKey(c.max());
    return 1 + keys + CompactBloom.size(c.bloom());
  }

  private static int sizeOfKey(byte[] key) {
    return Short.BYTES + key.length;
  }

  void write(ByteBuffer out) {
    write(out, files);
    write(out, memstore);
  }

  private static void write(ByteBuffer out, ColumnSummary c) {
    byte[] min = c.min();
    out.put(
        (byte)
            ((c.hasUndecodable() ? UNDECODABLE : 0)
                | (c.hasUnkeyable() ? UNKEYABLE : 0)
                | (c.hasAbsent() ? ABSENT : 0)
                | (min == null ? 0 : KEYED)));
    if (min != null) {
      writeKey(out, min);
      writeKey(out, c.max());
    }
    CompactBloom.write(out, c.bloom());
  }

  private static void writeKey(ByteBuffer out, byte[] key) {
    out.putShort((short) key.length).put(key);
  }

  /** Reads what {@link #write} wrote. */
  static CompactColumn read(ByteBuffer in, ValueType type) {
    return new CompactColumn(readSource(in, type), readSource(in, type));
  }

  private static ColumnSummary readSource(ByteBuffer in, ValueType type) {
    ColumnSummary bounds = readBounds(in, type);
    return bounds.withBloom(CompactBloom.read(in));
  }

  private static ColumnSummary readBounds(ByteBuffer in, ValueType type) {
    int flags = in.get();
    boolean keyed = (flags & KEYED) != 0;
    byte[] min = keyed ? readKey(in) : null;
    byte[] max = keyed ? readKey(in) : null;
    return new ColumnSummary(
        type,
        min,
        max,
        (flags & UNDECODABLE) != 0,
        (flags & UNKEYABLE) != 0,
        (flags & ABSENT) != 0,
        null);
  }

  private static byte[] readKey(ByteBuffer in) {
    byte[] key = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(key);
    return key;
  }

  /** {@link ColumnSummary#might} of what {@link #write} wrote; filters are read where they help. */
  static boolean might(
      ByteBuffer in, ValueType type, KeyRanges keys, boolean whenAbsent, boolean whenUndecodable) {
    for (int source = 0; source < 2; source++) {
      ColumnSummary bounds = readBounds(in, type);
      if (!bounds.might(keys, whenAbsent, whenUndecodable)) {
        CompactBloom.skip(in);
      } else if (bounds.withBloom(CompactBloom.read(in)).might(keys, whenAbsent, whenUndecodable)) {
        return true;
      }
    }
    return false;
  }

  /** Without filters that pass most keys. */
  CompactColumn useful() {
    return new CompactColumn(useful(files), useful(memstore));
  }

  private static ColumnSummary useful(ColumnSummary c) {
    return c.bloom() == null || !isAbove(c.bloom(), USELESS) ? c : c.withBloom(null);
  }

  private static boolean isAbove(BloomBits bloom, int parts) {
    return bloom.used() > (long) bloom.bits() * parts / PARTS;
  }

  /** Bytes of filters that could be fewer. */
  int sizeOfBlooms() {
    return foldable(files) + foldable(memstore);
  }

  private static int foldable(ColumnSummary c) {
    int size = CompactBloom.size(c.bloom());
    return size > SMALL ? size : 0;
  }

  /** With bounds alone, but for filters that take next to nothing. */
  CompactColumn bounds() {
    return new CompactColumn(bounds(files), bounds(memstore));
  }

  private static ColumnSummary bounds(ColumnSummary c) {
    return foldable(c) == 0 ? c : c.withBloom(null);
  }

  /** With filters half as large, or none where that would pass too many keys. */
  CompactColumn folded() {
    return new CompactColumn(folded(files), folded(memstore));
  }

  private static ColumnSummary folded(ColumnSummary c) {
    if (foldable(c) == 0) {
      return c;
    }
    BloomBits half = c.bloom().folded();
    return c.withBloom(isAbove(half, FOLDED_ENOUGH) ? null : half);
  }
}
