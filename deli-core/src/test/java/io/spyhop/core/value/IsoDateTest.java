package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.YearMonth;
import org.junit.jupiter.api.Test;

/** Dates are read without {@code java.time}, and mean what it says. */
class IsoDateTest {
  private static final IsoDate DATE = IsoDate.INSTANCE;

  @Test
  void everyDayOfEveryMonthIsReadOrRefused() {
    byte[] b = new byte[IsoDate.LENGTH];
    for (int year = 0; year <= 9999; year++) {
      for (int month = 1; month <= 12; month++) {
        int days = YearMonth.of(year, month).lengthOfMonth();
        long first = LocalDate.of(year, month, 1).toEpochDay();
        for (int day = 0; day <= 32; day++) {
          write(b, year, month, day);
          boolean real = day >= 1 && day <= days;
          if (DATE.isDecodable(b, 0, b.length) != real
              || real && DATE.read(b, 0, b.length) != first + day - 1) {
            assertThat(new String(b, StandardCharsets.US_ASCII)).isEqualTo("something else");
          }
        }
      }
      for (int month : new int[] {0, 13, 99}) {
        write(b, year, month, 1);
        assertThat(DATE.isDecodable(b, 0, b.length)).isFalse();
      }
    }
  }

  @Test
  void anyOtherByteAnywhereIsRefused() {
    byte[] date = "1996-02-29".getBytes(StandardCharsets.US_ASCII);
    assertThat(DATE.isDecodable(date, 0, date.length)).isTrue();
    for (int at = 0; at < date.length; at++) {
      for (int other = Byte.MIN_VALUE; other <= Byte.MAX_VALUE; other++) {
        byte[] b = date.clone();
        b[at] = (byte) other;
        boolean digit = other >= '0' && other <= '9';
        boolean dash = at == 4 || at == 7;
        if (dash ? other != '-' : !digit) {
          assertThat(DATE.isDecodable(b, 0, b.length)).as("byte %d at %d", other, at).isFalse();
        }
      }
    }
    assertThat(DATE.isDecodable(date, 0, 9)).isFalse();
  }

  private static void write(byte[] b, int year, int month, int day) {
    digits(b, 0, year / 100);
    digits(b, 2, year % 100);
    b[4] = '-';
    digits(b, 5, month);
    b[7] = '-';
    digits(b, 8, day);
  }

  private static void digits(byte[] b, int at, int number) {
    b[at] = (byte) ('0' + number / 10);
    b[at + 1] = (byte) ('0' + number % 10);
  }
}
