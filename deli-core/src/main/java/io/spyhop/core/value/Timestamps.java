package io.spyhop.core.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Date;

/**
 * Milliseconds since 1970-01-01T00:00Z. Literals: whole numbers (also as text), {@link Date},
 * {@link Instant}, and ISO date and time with a T or a space between them, in UTC unless an offset
 * follows. Fractions of a millisecond are refused, because cutting them would change what is
 * compared.
 */
enum Timestamps implements LongDomain {
  INSTANCE;

  private static final String EXPECTED =
      "milliseconds since 1970, or a time such as '1997-03-10 12:00:00' (UTC) or"
          + " '1997-03-10T12:00:00Z', in whole milliseconds";
  private static final Instant FIRST = Instant.ofEpochMilli(Long.MIN_VALUE);
  private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final int DATE_LENGTH = 10;

  @Override
  public long of(Object literal, ValueType type) {
    if (DecimalText.numberOf(literal) != null) {
      return WholeNumbers.INT64.of(literal, type);
    }
    try {
      return millis(instant(literal));
    } catch (DateTimeException | ArithmeticException | UnsupportedOperationException e) {
      throw InvalidValueException.of(literal, type, EXPECTED);
    }
  }

  @Override
  public int beyond(Object literal) {
    if (DecimalText.numberOf(literal) != null) {
      return WholeNumbers.INT64.beyond(literal);
    }
    try {
      Instant time = instant(literal);
      return time.isAfter(LAST) ? 1 : time.isBefore(FIRST) ? -1 : 0;
    } catch (DateTimeException | UnsupportedOperationException e) {
      return 0;
    }
  }

  private static Instant instant(Object literal) {
    if (literal instanceof Instant instant) {
      return instant;
    }
    if (literal instanceof Date date) {
      return date.toInstant();
    }
    if (literal instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new DateTimeException("not a time");
  }

  private static Instant parse(String text) {
    int space = text.indexOf(' ');
    StringBuilder iso = new StringBuilder(text);
    if (space >= DATE_LENGTH) {
      iso.setCharAt(space, 'T');
    }
    TemporalAccessor time =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(iso, ZonedDateTime::from, LocalDateTime::from);
    return time instanceof LocalDateTime local
        ? local.toInstant(ZoneOffset.UTC)
        : Instant.from(time);
  }

  private static long millis(Instant instant) {
    long millis = instant.toEpochMilli();
    if (!Instant.ofEpochMilli(millis).equals(instant)) {
      throw new DateTimeException("not whole milliseconds");
    }
    return millis;
  }

  @Override
  public Object object(long value) {
    return value;
  }

  @Override
  public String text(long value) {
    return Instant.ofEpochMilli(value).toString();
  }
}
