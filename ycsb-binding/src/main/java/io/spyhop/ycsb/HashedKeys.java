package io.spyhop.ycsb;

/** Keys in no order of their numbers, and splits of their space. Stateless. */
final class HashedKeys {
  private static final int DIGITS = 16;

  private HashedKeys() {}

  /** A key of 16 hexadecimal digits of the mixed number, then the number. */
  static String key(long number) {
    return hex(Numbers.mix(number, 0)) + "-" + number;
  }

  /** The number of a key. */
  static long number(String key) {
    return Long.parseLong(key.substring(DIGITS + 1));
  }

  /** Where one of so many equal parts begins. */
  static String split(int part, int parts) {
    return hex(Long.divideUnsigned(-1L, parts) * part);
  }

  private static String hex(long number) {
    return String.format("%016x", number);
  }
}
