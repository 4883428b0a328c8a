package io.spyhop.core.value;

import java.nio.charset.StandardCharsets;

/**
 * ASCII text {@code [-] digits} that fits a long; leading zeros are allowed, a {@code +} is not.
 */
enum TextLong implements LongForm {
  INSTANCE;

  private static final int RADIX = 10;

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    int first = firstDigit(b, off, len);
    // Summed up as a negative number, because there is one more of those.
    long negated = 0;
    for (int i = first; i < off + len; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit >= RADIX || negated < (Long.MIN_VALUE + digit) / RADIX) {
        return false;
      }
      negated = negated * RADIX - digit;
    }
    return first < off + len && (first > off || negated != Long.MIN_VALUE);
  }

  @Override
  public long read(byte[] b, int off, int len) {
    int first = firstDigit(b, off, len);
    long negated = 0;
    for (int i = first; i < off + len; i++) {
      negated = negated * RADIX - (b[i] - '0');
    }
    return first > off ? negated : -negated;
  }

  private static int firstDigit(byte[] b, int off, int len) {
    return len > 0 && b[off] == '-' ? off + 1 : off;
  }

  @Override
  public byte[] write(long value) {
    return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
  }
}
