package io.spyhop.core.value;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/** Days since 1970-01-01. Literals: {@link LocalDate}, or text as {@link IsoDate} stores it. */
enum Dates implements LongDomain {
  INSTANCE;

  @Override
  public long of(Object literal, ValueType type) {
    if (literal instanceof LocalDate date && IsoDate.isStorable(date)) {
      return date.toEpochDay();
    }
    byte[] text =
        literal instanceof CharSequence
            ? literal.toString().getBytes(StandardCharsets.UTF_8)
            : new byte[0];
    if (!IsoDate.INSTANCE.isDecodable(text, 0, text.length)) {
      throw InvalidValueException.of(
          literal, type, "a date such as '1997-03-10', between 0000-01-01 and 9999-12-31");
    }
    return IsoDate.INSTANCE.read(text, 0, text.length);
  }

  @Override
  public int beyond(Object literal) {
    try {
      LocalDate date =
          literal instanceof LocalDate d ? d : LocalDate.parse(String.valueOf(literal));
      return IsoDate.isStorable(date) ? 0 : Integer.signum(date.getYear());
    } catch (DateTimeParseException e) {
      return 0;
    }
  }

  @Override
  public Object object(long value) {
    return LocalDate.ofEpochDay(value);
  }
}
