package io.spyhop.server.damage;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/** Kinds of damage to the bytes of a file. A quarter of what happens is one flipped bit. */
public final class Damage {
  private static final List<BiFunction<byte[], Random, byte[]>> KINDS =
      List.of(
          Damage::bit,
          Damage::number,
          Damage::zeros,
          Damage::garbage,
          Damage::moved,
          Damage::cut,
          Damage::longer,
          Damage::swapped);

  private Damage() {}

  /** Other bytes than those, or by chance the same. */
  public static byte[] random(byte[] whole, Random random) {
    if (random.nextInt(4) == 0) {
      return bit(whole, random);
    }
    return KINDS.get(random.nextInt(KINDS.size())).apply(whole, random);
  }

  /** One flipped bit. */
  public static byte[] bit(byte[] whole, int at, int number) {
    byte[] b = whole.clone();
    b[at] ^= (byte) (1 << number);
    return b;
  }

  private static byte[] bit(byte[] whole, Random random) {
    return bit(whole, random.nextInt(whole.length), random.nextInt(8));
  }

  /** A large number somewhere, as in the place of a length or an offset. */
  private static byte[] number(byte[] whole, Random random) {
    byte[] b = whole.clone();
    int at = random.nextInt(b.length);
    int number = random.nextInt() >>> random.nextInt(31);
    for (int i = 0; i < Integer.BYTES && at + i < b.length; i++) {
      b[at + i] = (byte) (number >> 8 * (3 - i));
    }
    return b;
  }

  private static byte[] zeros(byte[] whole, Random random) {
    byte[] b = whole.clone();
    int at = random.nextInt(b.length);
    Arrays.fill(b, at, at + length(b, at, random), (byte) 0);
    return b;
  }

  private static byte[] garbage(byte[] whole, Random random) {
    byte[] b = whole.clone();
    int at = random.nextInt(b.length);
    byte[] garbage = new byte[length(b, at, random)];
    random.nextBytes(garbage);
    System.arraycopy(garbage, 0, b, at, garbage.length);
    return b;
  }

  /** A part of the file in another place of it, as after a misdirected write. */
  private static byte[] moved(byte[] whole, Random random) {
    byte[] b = whole.clone();
    int from = random.nextInt(b.length);
    int to = random.nextInt(b.length);
    System.arraycopy(whole, from, b, to, length(b, Math.max(from, to), random));
    return b;
  }

  private static byte[] cut(byte[] whole, Random random) {
    return Arrays.copyOf(whole, random.nextInt(whole.length));
  }

  private static byte[] longer(byte[] whole, Random random) {
    byte[] b = Arrays.copyOf(whole, whole.length + 1 + random.nextInt(5000));
    System.arraycopy(whole, 0, b, b.length - whole.length, random.nextInt(whole.length));
    return b;
  }

  /** The second half before the first. */
  private static byte[] swapped(byte[] whole, Random random) {
    byte[] b = whole.clone();
    int at = random.nextInt(b.length);
    System.arraycopy(whole, at, b, 0, b.length - at);
    System.arraycopy(whole, 0, b, b.length - at, at);
    return b;
  }

  private static int length(byte[] b, int at, Random random) {
    return 1 + random.nextInt(Math.min(b.length - at, 1 << random.nextInt(14)));
  }
}
