package io.spyhop.core.value;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedByteRange;

/**
 * Reads, compares and keys the stored bytes of one {@link ValueType}. Stateless, thread-safe; get
 * it from {@link ValueType#codec()}.
 *
 * <p>Methods that take stored bytes answer for {@code len} bytes of {@code b} from {@code off}; no
 * content makes them throw, loop or allocate out of proportion to {@code len}.
 */
public abstract class ValueCodec {
  /**
   * Text and byte strings are cut to this many bytes before they become a key, so that every key
   * fits into a row key beside another row key; a cut key is inexact.
   */
  public static final int MAX_KEYED_BYTES = 512;

  private final ValueType type;

  ValueCodec(ValueType type) {
    this.type = type;
  }

  /** The type this is the codec of. */
  public final ValueType type() {
    return type;
  }

  /** Whether the bytes are a value of this type. */
  public abstract boolean isDecodable(byte[] b, int off, int len);

  /**
   * The value as a Java object, or null if undecodable: for display, not for comparing.
   *
   * <p>{@code String} for text, {@code byte[]} for byte strings, {@code Integer} for whole numbers
   * of up to 32 bits, {@code Long} for longer ones and for {@code TIMESTAMP} (milliseconds since
   * 1970), {@code Float}, {@code Double}, {@code BigDecimal}, {@code Boolean}, {@code LocalDate}.
   */
  public abstract Object decode(byte[] b, int off, int len);

  /**
   * Bytes that store the value, the same for all values that compare as equal: 0.0 for -0.0, 7 for
   * 007, a decimal without zeros at its end. Null if undecodable.
   */
  public abstract byte[] canonical(byte[] b, int off, int len);

  /** The order-preserving key of the value, or null if undecodable. */
  public abstract ValueKey key(byte[] b, int off, int len);

  /**
   * A literal as a value of this type.
   *
   * @param literal a Java object such as {@link #decode} gives, or text; what else is accepted is
   *     said at the constants of {@link ValueType}
   * @throws InvalidValueException if it is not a value of this type, or cannot be stored as one
   *     without becoming a different value (floating point types round to the nearest)
   */
  public abstract Operand operand(Object literal);

  /**
   * On which side of the type's range a literal lies: 1 if it is a number greater than all finite
   * values, -1 if it is one less than all, 0 otherwise, also if it is no literal of the type.
   */
  public int beyond(Object literal) {
    return 0;
  }

  /**
   * The infinity of the type, beyond even the numbers that are {@link #beyond}; empty if it has
   * none.
   *
   * @param sign 1 or -1
   */
  public Optional<Operand> infinite(int sign) {
    return Optional.empty();
  }

  /**
   * The operand whose {@link Operand#stored()} gave these bytes.
   *
   * @throws InvalidValueException if they are not a value of this type
   */
  public abstract Operand operandFromStored(byte[] stored);

  /** Some value of the type, the same at each call. */
  public abstract Operand some();

  /**
   * Whether a key may belong to values that differ, as one of them was cut or rounded.
   *
   * @param key of a value of this type; its length tells
   */
  public boolean mayBeShared(byte[] key) {
    return false;
  }

  /** Whether some values of the type have no key of their own: {@link ValueKey#UNKEYABLE}. */
  public boolean hasUnkeyable() {
    return false;
  }

  /** Whether values can be searched by a prefix of their stored bytes: STRING and BYTES only. */
  public boolean supportsPrefix() {
    return false;
  }

  /**
   * The keys that a value may have whose stored bytes start with these.
   *
   * @param prefix raw bytes; they may end within a character
   * @return bounds that are both inclusive, and may include the keys of a few other values
   * @throws UnsupportedOperationException if not {@link #supportsPrefix()}
   */
  public KeyRange prefixRange(byte[] prefix) {
    throw new UnsupportedOperationException("values of type " + type + " have no prefix order");
  }

  /**
   * The value for people, as {@link Operand#toString()} has it; undecodable bytes in hexadecimal.
   */
  public final String display(byte[] b, int off, int len) {
    byte[] stored = Arrays.copyOfRange(b, off, off + len);
    return isDecodable(stored, 0, len)
        ? operandFromStored(stored).toString()
        : "undecodable " + Display.quoted(stored);
  }

  /**
   * The value that has a key, for people, as {@link Operand#toString()} has it; of one that was cut
   * or rounded, what the key keeps of it.
   *
   * @param key the bytes of a {@link ValueKey} of this type
   */
  public final String displayKey(byte[] key) {
    if (ValueKey.isUnkeyable(key, 0, key.length)) {
      return "a value without a key";
    }
    try {
      return textOf(new SimplePositionedByteRange(key));
    } catch (RuntimeException e) {
      return "key " + Display.quoted(key);
    }
  }

  /**
   * Bytes that store the value of an exact key, as {@link #canonical} gives them.
   *
   * @param key the bytes of a {@link ValueKey} of this type; zeros may follow
   * @throws InvalidValueException if it is none
   */
  public final byte[] storedOf(byte[] key) {
    try {
      return storedOf(new SimplePositionedByteRange(key));
    } catch (RuntimeException e) {
      throw InvalidValueException.of(key, type, "the key of such a value");
    }
  }

  abstract byte[] storedOf(PositionedByteRange key);

  /** The text of the value that a key was made of; throws if it is no key of this type. */
  abstract String textOf(PositionedByteRange key);

  /** Throws if the bytes are not a value of this type. */
  final void requireDecodable(byte[] stored) {
    if (!isDecodable(stored, 0, stored.length)) {
      throw InvalidValueException.of(stored, type, "bytes as a cell of that type has them");
    }
  }

  /** An exception that says what a literal should have been. */
  final InvalidValueException invalid(Object literal, String expected) {
    return InvalidValueException.of(literal, type, expected);
  }
}
