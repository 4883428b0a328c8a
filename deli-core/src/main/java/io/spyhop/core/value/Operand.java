package io.spyhop.core.value;

/**
 * A literal of a predicate, read as a value of a type: what stored values are compared with.
 *
 * <p>Two operands are equal if they are of one type and compare as equal. Immutable, thread-safe.
 */
public abstract class Operand implements Comparable<Operand> {
  /** What {@link #compareStored} answers of bytes that are not a value of the type. */
  public static final int UNDECODABLE = Integer.MIN_VALUE;

  private final ValueType type;
  private final byte[] stored;
  private final ValueKey key;

  /**
   * @param stored the value as a cell of the type has it; taken over
   */
  Operand(ValueType type, byte[] stored, ValueKey key) {
    this.type = type;
    this.stored = stored;
    this.key = key;
  }

  /**
   * The order of a stored value relative to this operand: negative if the stored value is less,
   * zero if it is equal, positive if it is greater; {@link #UNDECODABLE} if the bytes are not a
   * value of the type. Never throws, whatever the bytes are; fixed-size types do not allocate.
   */
  public abstract int compareStored(byte[] b, int off, int len);

  /** The value as a Java object of the class that {@link ValueCodec#decode} gives for the type. */
  public abstract Object value();

  /** The value for people: numbers plain, text in single quotes, dates in ISO form. */
  @Override
  public abstract String toString();

  /** The type this operand was made for. */
  public final ValueType type() {
    return type;
  }

  /**
   * The key of the value, as an index has it: of stored values that compare as equal it is the key.
   * Never null. A search bound must be inclusive; {@link ValueKey#UNKEYABLE} bounds nothing.
   */
  public final ValueKey key() {
    return key;
  }

  /** The value as a cell of the type has it, a copy; where a type knows several ways, the usual. */
  public final byte[] stored() {
    return stored.clone();
  }

  /**
   * The order of this operand relative to another of the same type.
   *
   * @throws IllegalArgumentException if the other is of another type
   */
  @Override
  public final int compareTo(Operand other) {
    if (type != other.type) {
      throw new IllegalArgumentException("cannot compare a " + type + " with a " + other.type);
    }
    return Integer.signum(other.compareStored(stored, 0, stored.length));
  }

  @Override
  public final boolean equals(Object o) {
    return o instanceof Operand other && type == other.type && compareTo(other) == 0;
  }

  @Override
  public final int hashCode() {
    return 31 * type.hashCode() + key.hashCode();
  }
}
