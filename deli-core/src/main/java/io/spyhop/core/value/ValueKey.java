package io.spyhop.core.value;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The order-preserving bytes of a value: compared as unsigned bytes they order as the values of one
 * type do. Self-delimiting: no key is a prefix of another one of the same type, so that a row key
 * can follow (see {@link ComposedKey}). Immutable if nobody writes to {@link #bytes()},
 * thread-safe.
 *
 * <p>An <i>inexact</i> key belongs to a value that was cut or rounded: several values may share it,
 * an exact one among them, and order is only non-strictly monotone (if {@code a < b} then {@code
 * key(a) <= key(b)}). A search by key includes the bounds and looks at the value itself.
 *
 * <p>Keys are equal if their bytes are; exactness tells how a key came about and does not count.
 */
public final class ValueKey implements Comparable<ValueKey> {
  private static final byte UNKEYABLE_MARKER = 0x01;

  /**
   * Stands for values that have no key of their own. One byte, {@code 0x01}, which sorts before all
   * other keys and says nothing about order: such values are candidates of every search, and a
   * search bound with this key is no bound.
   */
  public static final ValueKey UNKEYABLE = new ValueKey(new byte[] {UNKEYABLE_MARKER}, false);

  private final byte[] bytes;
  private final boolean exact;

  private ValueKey(byte[] bytes, boolean exact) {
    this.bytes = bytes;
    this.exact = exact;
  }

  /**
   * A key from bytes that {@link #bytes()} gave, as read from an index file.
   *
   * @param bytes taken over, not copied
   * @param exact whether no other value has this key
   */
  public static ValueKey of(byte[] bytes, boolean exact) {
    return isUnkeyable(bytes, 0, bytes.length) ? UNKEYABLE : new ValueKey(bytes, exact);
  }

  /** Whether these bytes are those of {@link #UNKEYABLE}, or start with them and a row follows. */
  static boolean isUnkeyable(byte[] b, int off, int len) {
    return len > 0 && b[off] == UNKEYABLE_MARKER;
  }

  /** The encoded bytes: not a copy, do not modify. */
  public byte[] bytes() {
    return bytes;
  }

  /** Whether the key was neither cut nor rounded. */
  public boolean isExact() {
    return exact;
  }

  /** Whether this is {@link #UNKEYABLE}. */
  public boolean isUnkeyable() {
    return isUnkeyable(bytes, 0, bytes.length);
  }

  /** Unsigned byte order. */
  @Override
  public int compareTo(ValueKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ValueKey other && Arrays.equals(bytes, other.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The bytes, unprintable ones as {@code \xHH}; an inexact key ends in {@code ~}. */
  @Override
  public String toString() {
    return Bytes.toStringBinary(bytes) + (exact ? "" : "~");
  }
}
