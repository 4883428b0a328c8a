package io.spyhop.ycsb;

/** Numbers that follow from others and look random. Stateless. */
final class Numbers {
  private Numbers() {}

  /** Well mixed bits of two numbers (the finalizer of SplitMix64). */
  static long mix(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** One of the numbers below a bound. */
  static long below(long bound, long a, long b) {
    return Long.remainderUnsigned(mix(a, b), bound);
  }

  /** Bytes that follow from two numbers. */
  static byte[] bytes(int length, long a, long b) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + below(26, mix(a, b), i));
    }
    return bytes;
  }
}
