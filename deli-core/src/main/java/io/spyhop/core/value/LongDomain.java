package io.spyhop.core.value;

/** Translates between a long inside and a type's literals, Java objects and texts. Thread-safe. */
interface LongDomain {
  /**
   * The long that a literal means.
   *
   * @throws InvalidValueException if it means none of this domain
   */
  long of(Object literal, ValueType type);

  /** As {@link ValueCodec#beyond} has it. */
  default int beyond(Object literal) {
    return 0;
  }

  /** As {@link ValueCodec#decode} has it. */
  Object object(long value);

  /** As {@link Operand#toString()} has it. */
  default String text(long value) {
    return object(value).toString();
  }

  /** The order-preserving key. */
  default ValueKey key(long value) {
    return OrderedKeys.ofLong(value);
  }
}
