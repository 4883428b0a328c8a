package io.spyhop.core.schema;

/**
 * The size of a column's bloom filters. Immutable, thread-safe.
 *
 * @param bits {@link #NONE}, {@link #AUTO} or a power of two
 */
public record BloomSize(int bits) {
  /** The fewest bits of a filter. */
  public static final int MIN_BITS = 64;

  /** The most bits of a filter. */
  public static final int MAX_BITS = 1 << 20;

  /** No bloom filter. */
  public static final BloomSize OFF = new BloomSize(0);

  /** As large as the number of values asks for. */
  public static final BloomSize SIZED_TO_DATA = new BloomSize(-1);

  /** The paper's 1,024 bits (section 6.2). */
  public static final BloomSize DEFAULT = new BloomSize(1024);

  /** The most bits that {@link #SIZED_TO_DATA} takes. */
  public static final int MAX_AUTO_BITS = 1 << 16;

  private static final int NONE = 0;
  private static final int AUTO = -1;

  /** Checks the number. */
  public BloomSize {
    if (bits != NONE && bits != AUTO) {
      requireSize(bits);
    }
  }

  private static int requireSize(int bits) {
    if (bits < MIN_BITS || bits > MAX_BITS || Integer.bitCount(bits) != 1) {
      throw new IllegalArgumentException(
          "bloom="
              + bits
              + ": use off, auto or a power of two from "
              + MIN_BITS
              + " to "
              + MAX_BITS);
    }
    return bits;
  }

  /**
   * Reads {@code off}, {@code auto} or a number of bits.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static BloomSize parse(String text) {
    if (text.equalsIgnoreCase("off")) {
      return OFF;
    }
    if (text.equalsIgnoreCase("auto")) {
      return SIZED_TO_DATA;
    }
    try {
      return new BloomSize(requireSize(Integer.parseInt(text)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "bloom=" + text + ": use off, auto or a number of bits", e);
    }
  }

  /** Whether there is a filter. */
  public boolean isOn() {
    return bits != NONE;
  }

  /** Whether its size follows the data. */
  public boolean isAuto() {
    return bits == AUTO;
  }

  /** The bits to start with, 0 for no filter; a finished filter of an automatic size is smaller. */
  public int startBits() {
    return isAuto() ? MAX_AUTO_BITS : bits;
  }

  /** What {@link #parse} reads. */
  @Override
  public String toString() {
    return isAuto() ? "auto" : isOn() ? Integer.toString(bits) : "off";
  }
}
