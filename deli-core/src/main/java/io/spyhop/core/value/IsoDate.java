package io.spyhop.core.value;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Exactly ten ASCII bytes {@code yyyy-MM-dd} that are a date of the proleptic Gregorian calendar,
 * year 0000 to 9999; the long is the days since 1970-01-01.
 */
enum IsoDate implements LongForm {
  INSTANCE;

  static final int LENGTH = 10;
  private static final int MAX_YEAR = 9999;

  /** "0000-00-" and "00". */
  private static final long YEAR_AND_MONTH = 0x30303030_2D30302DL;

  private static final int DAY = 0x3030;
  private static final long SIX_EACH = 0x06060606_00060600L;
  private static final int SIX_EACH_OF_DAY = 0x0606;
  private static final long NO_DIGITS = 0xF0F0F0F0_FFF0F0FFL;
  private static final int NO_DIGITS_OF_DAY = 0xFFFFF0F0;

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

  /**
   * Eight bytes at once, then two: after the exclusive or a digit is 0 to 9 and a hyphen 0, and six
   * more than a digit stays below 16.
   */
  private static boolean hasShape(byte[] b, int off) {
    long first = Bytes.toLong(b, off) ^ YEAR_AND_MONTH;
    int last = Bytes.toShort(b, off + Long.BYTES) ^ DAY;
    return ((first | first + SIX_EACH) & NO_DIGITS) == 0
        && ((last | last + SIX_EACH_OF_DAY) & NO_DIGITS_OF_DAY) == 0;
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
