package io.spyhop.core.value;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * A value key followed by a row key, nothing in between: the key of an index entry.
 *
 * <p>Value keys are self-delimiting, so composed keys compare (as unsigned bytes) by value key and
 * then by row key, whatever bytes the row has; an empty row comes first. Immutable, thread-safe.
 */
public final class ComposedKey {
  private final byte[] composed;
  private final int valueKeyLength;

  private ComposedKey(byte[] composed, int valueKeyLength) {
    this.composed = composed;
    this.valueKeyLength = valueKeyLength;
  }

  /**
   * The composed bytes, newly allocated.
   *
   * @param valueKey the bytes of a {@link ValueKey}
   * @param row any bytes, empty ones too
   */
  public static byte[] compose(byte[] valueKey, byte[] row) {
    byte[] composed = Arrays.copyOf(valueKey, valueKey.length + row.length);
    System.arraycopy(row, 0, composed, valueKey.length, row.length);
    return composed;
  }

  /**
   * How many of the bytes are the value key.
   *
   * @throws IllegalArgumentException if they do not start with a whole value key
   */
  public static int valueKeyLength(byte[] composed, int off, int len) {
    if (ValueKey.isUnkeyable(composed, off, len)) {
      return 1;
    }
    int length = OrderedFormat.isDelimited(composed, off, len) ? skip(composed, off, len) : -1;
    if (length < 0 || length > len) {
      throw new IllegalArgumentException(
          "'" + Bytes.toStringBinary(composed, off, len) + "' does not start with a value key");
    }
    return length;
  }

  /** The length of the encoded value, more than len or -1 if it is not all there. */
  private static int skip(byte[] b, int off, int len) {
    try {
      return OrderedBytes.skip(new SimplePositionedMutableByteRange(b, off, len));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return -1; // an unknown header, or no terminator up to the end of the array
    }
  }

  /**
   * Takes composed bytes apart.
   *
   * @throws IllegalArgumentException if they do not start with a whole value key
   */
  public static ComposedKey split(byte[] composed, int off, int len) {
    int valueKeyLength = valueKeyLength(composed, off, len);
    return new ComposedKey(Arrays.copyOfRange(composed, off, off + len), valueKeyLength);
  }

  /** The bytes of the value key, a copy. */
  public byte[] valueKey() {
    return Arrays.copyOf(composed, valueKeyLength);
  }

  /** The row key, a copy. */
  public byte[] row() {
    return Arrays.copyOfRange(composed, valueKeyLength, composed.length);
  }

  /** Value key and row key, unprintable bytes as {@code \xHH}. */
  @Override
  public String toString() {
    return Bytes.toStringBinary(composed, 0, valueKeyLength)
        + " + "
        + Bytes.toStringBinary(composed, valueKeyLength, composed.length - valueKeyLength);
  }
}
