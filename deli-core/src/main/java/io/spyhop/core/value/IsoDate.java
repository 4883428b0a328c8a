package io.spyhop.core.value;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;

/**
 * Exactly ten ASCII bytes {@code yyyy-MM-dd} that are a date of the proleptic Gregorian calendar,
 * year 0000 to 9999; the long is the days since 1970-01-01.
 */
enum IsoDate implements LongForm {
  INSTANCE;

  static final int LENGTH = 10;
  private static final int MAX_YEAR = 9999;
  private static final int SECONDS_PER_DAY = 24 * 60 * 60;

  /** Whether the year has four digits. */
  static boolean isStorable(LocalDate date) {
    return date.getYear() >= 0 && date.getYear() <= MAX_YEAR;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return len == LENGTH
        && hasShape(b, off)
        && isDayOfMonth(day(b, off), month(b, off), year(b, off));
  }

  private static boolean hasShape(byte[] b, int off) {
    for (int i = 0; i < LENGTH; i++) {
      byte c = b[off + i];
      boolean fits = (i == 4 || i == 7) ? c == '-' : c >= '0' && c <= '9';
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDayOfMonth(int day, int month, int year) {
    boolean leap = IsoChronology.INSTANCE.isLeapYear(year);
    return month >= 1 && month <= 12 && day >= 1 && day <= Month.of(month).length(leap);
  }

  @Override
  public long read(byte[] b, int off, int len) {
    int year = year(b, off);
    int month = month(b, off);
    int day = day(b, off);
    long midnight = IsoChronology.INSTANCE.epochSecond(year, month, day, 0, 0, 0, ZoneOffset.UTC);
    return midnight / SECONDS_PER_DAY;
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
