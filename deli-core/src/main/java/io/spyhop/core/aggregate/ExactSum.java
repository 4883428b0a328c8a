package io.spyhop.core.aggregate;

import java.math.BigInteger;

/**
 * The exact sum of finite doubles, rounded when it is read: a fixed-point number whose unit is the
 * least double, in limbs of 32 bits that carry late (R. Neal, "Fast exact summation using small and
 * large superaccumulators", 2015). Not thread-safe.
 */
final class ExactSum {
  /** The unit is 2 to the power of this. */
  private static final int UNIT = Double.MIN_EXPONENT - 52;

  private static final int LIMB = Integer.SIZE;
  private static final long FRACTION = (1L << 52) - 1;
  private static final long MASK = 0xffff_ffffL;

  /** From the least double to the greatest, and as many of these as a long counts. */
  static final int MOST_BITS = -UNIT + Double.MAX_EXPONENT + 1 + Long.SIZE;

  private static final int LIMBS = MOST_BITS / LIMB + 3;

  /** So many numbers are added until limbs may overflow; each adds less than 32 bits to one. */
  private static final int MOST_UNCARRIED = 1 << 30;

  /** The memory that one takes. */
  static final int BYTES = LIMBS * Long.BYTES + 40;

  private final long[] limbs = new long[LIMBS];
  private int uncarried;

  /** Adds a finite number. */
  void add(double number) {
    long bits = Double.doubleToRawLongBits(number);
    int exponent = (int) ((bits >>> 52) & 0x7ff);
    long mantissa = bits & FRACTION;
    int shift = 0;
    if (exponent > 0) {
      mantissa |= FRACTION + 1;
      shift = exponent - 1;
    }
    add(mantissa, shift, bits < 0);
  }

  private void add(long mantissa, int shift, boolean negative) {
    int limb = shift / LIMB;
    int within = shift % LIMB;
    long low = (mantissa << within) & MASK;
    long middle = (mantissa >>> (LIMB - within)) & MASK;
    long high = (mantissa >>> LIMB) >>> (LIMB - within);
    limbs[limb] += negative ? -low : low;
    limbs[limb + 1] += negative ? -middle : middle;
    limbs[limb + 2] += negative ? -high : high;
    if (++uncarried == MOST_UNCARRIED) {
      carry();
    }
  }

  /** Leaves 32 bits in each limb but the last, which has the sign. */
  private void carry() {
    for (int i = 0; i < LIMBS - 1; i++) {
      limbs[i + 1] += limbs[i] >> LIMB;
      limbs[i] &= MASK;
    }
    uncarried = 0;
  }

  /** Adds a sum in units, of {@link #MOST_BITS} bits at most. */
  void addUnits(BigInteger units) {
    carry();
    boolean negative = units.signum() < 0;
    BigInteger left = units.abs();
    for (int i = 0; left.signum() != 0; i++) {
      long low = left.intValue() & MASK;
      limbs[i] += negative ? -low : low;
      left = left.shiftRight(LIMB);
    }
    carry();
  }

  /** The sum in units. */
  BigInteger units() {
    carry();
    BigInteger units = BigInteger.valueOf(limbs[LIMBS - 1]);
    for (int i = LIMBS - 2; i >= 0; i--) {
      units = units.shiftLeft(LIMB).or(BigInteger.valueOf(limbs[i]));
    }
    return units;
  }

  /** The nearest double, of two the even one; infinite if it is too great. */
  double rounded() {
    return nearest(units(), 0, false);
  }

  /** The double nearest to the sum divided by a number over 0. */
  double rounded(long divisor) {
    BigInteger sum = units();
    BigInteger by = BigInteger.valueOf(divisor);
    int more = Math.max(0, Long.SIZE + by.bitLength() - sum.bitLength());
    BigInteger[] quotient = sum.abs().shiftLeft(more).divideAndRemainder(by);
    double nearest = nearest(quotient[0], more, quotient[1].signum() != 0);
    return sum.signum() < 0 ? -nearest : nearest;
  }

  /**
   * Rounds once.
   *
   * @param digits the number, times 2 to the power of {@code more}, in units
   * @param above whether it is a little more than that; then it has over 54 bits
   */
  private static double nearest(BigInteger digits, int more, boolean above) {
    BigInteger size = digits.abs();
    int drop = Math.max(size.bitLength() - 53, more);
    BigInteger kept = size.shiftRight(drop);
    if (drop > 0 && size.testBit(drop - 1)) {
      boolean tie = !above && size.getLowestSetBit() == drop - 1;
      kept = tie && !kept.testBit(0) ? kept : kept.add(BigInteger.ONE);
    }
    double nearest = Math.scalb(kept.doubleValue(), UNIT + drop - more);
    return digits.signum() < 0 ? -nearest : nearest;
  }
}
