package io.spyhop.core.wire;

import java.nio.charset.StandardCharsets;

/** A number as decimal text: payloads of a few questions and answers. Stateless. */
public final class DecimalNumber {
  /** The sign and the digits of a long. */
  private static final int MAX_LENGTH = 20;

  private DecimalNumber() {}

  /** The text. */
  public static byte[] encode(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads the text.
   *
   * @throws CorruptFrameException if it is no number, or none that a long holds
   */
  public static long decode(byte[] text) throws CorruptFrameException {
    if (text == null || text.length > MAX_LENGTH) {
      throw new CorruptFrameException(
          text == null ? "no number" : "a number of " + text.length + " digits");
    }
    try {
      return Long.parseLong(new String(text, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw new CorruptFrameException("no number", e);
    }
  }
}
