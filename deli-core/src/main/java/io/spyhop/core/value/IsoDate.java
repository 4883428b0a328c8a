package io.spyhop.core.value;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Exactly ten ASCII bytes {@code yyyy-MM-dd} that are a date of the proleptic Gregorian calendar,
 * year 0000 to 9999; the long is the days since 1970-01-01.
 */
enum IsoDate implements LongForm {
  INSTANCE;

  static final int LENGTH = 10;
  private static final int MAX_YEAR = 9999;

  /** From 0000-01-01 on. */
  private static final long DAYS_BEFORE_1970 = -LocalDate.of(0, 1, 1).toEpochDay();

  /** Of a year that is no leap year, before the end of each month; the first is before January. */
  private static final int[] DAYS_BEFORE = {
    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365
  };

  /** Whether the year has four digits. */
  static boolean isStorable(LocalDate date) {
    return date.getYear() >= 0 && date.getYear() <= MAX_YEAR;
  }

  /** Called for each record and cell that a query looks at. */
  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return len == LENGTH
        && hasShape(b, off)
        && isDayOfMonth(day(b, off), month(b, off), year(b, off));
  }

  private static boolean hasShape(byte[] b, int off) {
    int others = (b[off + 4] ^ '-') | (b[off + 7] ^ '-');
    return others == 0
        && areTwoDigits(b, off)
        && areTwoDigits(b, off + 2)
        && areTwoDigits(b, off + 5)
        && areTwoDigits(b, off + 8);
  }

  private static boolean areTwoDigits(byte[] b, int off) {
    int tens = b[off] - '0';
    int ones = b[off + 1] - '0';
    return (tens | (9 - tens) | ones | (9 - ones)) >= 0;
  }

  private static boolean isDayOfMonth(int day, int month, int year) {
    return month >= 1
        && month <= 12
        && day >= 1
        && day <= DAYS_BEFORE[month] - DAYS_BEFORE[month - 1] + leapDay(month, year);
  }

  /** How much longer a month is for a leap year's sake. */
  private static int leapDay(int month, int year) {
    return month == 2 && isLeap(year) ? 1 : 0;
  }

  private static boolean isLeap(int year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  @Override
  public long read(byte[] b, int off, int len) {
    int year = year(b, off);
    int month = month(b, off);
    int leapDays = (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    int ofYear = DAYS_BEFORE[month - 1] + (month > 2 && isLeap(year) ? 1 : 0) + day(b, off) - 1;
    return 365L * year + leapDays + ofYear - DAYS_BEFORE_1970;
  }

  @Override
  public byte[] write(long value) {
    return LocalDate.ofEpochDay(value).toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static int year(byte[] b, int off) {
    return twoDigits(b, off) * 100 + twoDigits(b, off + 2);
  }

  private static int month(byte[] b, int off) {
    return twoDigits(b, off + 5);
  }

  private static int day(byte[] b, int off) {
    return twoDigits(b, off + 8);
  }

  private static int twoDigits(byte[] b, int off) {
    return (b[off] - '0') * 10 + (b[off + 1] - '0');
  }
}
