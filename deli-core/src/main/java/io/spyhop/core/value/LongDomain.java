package io.spyhop.core.value;

/** What a long inside stands for: its literals, its Java object and its text. Thread-safe. */
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
