package io.spyhop.core.value;

import java.util.Locale;

/** False before true. Literals: {@link Boolean}, or the text true or false in any case. */
enum Booleans implements LongDomain {
  INSTANCE;

  @Override
  public long of(Object literal, ValueType type) {
    boolean named = literal instanceof Boolean || literal instanceof CharSequence;
    return switch (named ? literal.toString().toLowerCase(Locale.ROOT) : "") {
      case "true" -> 1;
      case "false" -> 0;
      default -> throw InvalidValueException.of(literal, type, "true or false");
    };
  }

  @Override
  public Object object(long value) {
    return value != 0;
  }

  @Override
  public ValueKey key(long value) {
    return OrderedKeys.ofBoolean(value != 0);
  }
}
