package io.spyhop.server.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes messages of valid ones that most often are not. */
final class Mutator {
  private static final int HUGE = 1 << 20;
  private static final int LARGE = 1 << 16;
  private static final int SMALL = 1 << 12;
  private static final int[] INTERESTING = {
    0,
    1,
    2,
    -1,
    -2,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    1 << 20,
    1 << 24,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE - 8
  };
  private static final int[] SIZES = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 16, 17, 20, 24};
  private static final String[] TEXTS = {
    ";", "=", ",", "%", "%3", "%3A", ":", "\\x", "v=1;", "e9", "1e999999999", "0.1", "-"
  };

  private final SplittableRandom random;
  private final List<byte[]> others;

  /**
   * @param others messages to take pieces from
   */
  Mutator(SplittableRandom random, List<byte[]> others) {
    this.random = random;
    this.others = others;
  }

  /** Something else; now and then much larger. */
  byte[] mutate(byte[] seed) {
    int sort = random.nextInt(2_000);
    int limit = sort == 0 ? HUGE : sort < 30 ? LARGE : SMALL;
    if (random.nextInt(8) == 0) {
      return several(seed, limit);
    }
    return Frames.change(seed, random.nextInt(8), payload -> several(payload, limit));
  }

  private byte[] several(byte[] bytes, int limit) {
    byte[] b = limit > SMALL ? grownList(bytes, limit) : bytes;
    int changes = 1 + random.nextInt(1 + random.nextInt(4));
    for (int i = limit > SMALL ? random.nextInt(2) : 0; i < changes; i++) {
      b = once(b, limit);
    }
    return b;
  }

  private byte[] once(byte[] b, int limit) {
    if (b.length == 0) {
      return slice(others.get(random.nextInt(others.size())));
    }
    return switch (random.nextInt(14)) {
      case 0 -> flipped(b);
      case 1 -> withByte(b);
      case 2, 3 -> withNumber(b, Integer.BYTES);
      case 4 -> withNumber(b, Short.BYTES);
      case 5 -> withNumber(b, Long.BYTES);
      case 6 -> Arrays.copyOf(b, random.nextInt(b.length));
      case 7 -> inserted(b, slice(b), 1);
      case 8 -> inserted(b, slice(others.get(random.nextInt(others.size()))), 1);
      case 9 -> replaced(b, slice(others.get(random.nextInt(others.size()))));
      case 10 -> replaced(b, new byte[0]);
      case 11 -> grownList(b, limit);
      case 12 -> nested(b, limit);
      default ->
          inserted(b, TEXTS[random.nextInt(TEXTS.length)].getBytes(StandardCharsets.UTF_8), 1);
    };
  }

  private byte[] flipped(byte[] b) {
    byte[] changed = b.clone();
    changed[random.nextInt(b.length)] ^= (byte) (1 << random.nextInt(8));
    return changed;
  }

  private byte[] withByte(byte[] b) {
    byte[] changed = b.clone();
    changed[random.nextInt(b.length)] = (byte) random.nextInt();
    return changed;
  }

  /** A length, a count or a number of some other meaning, near what is left or far from it. */
  private byte[] withNumber(byte[] b, int size) {
    if (b.length < size) {
      return flipped(b);
    }
    byte[] changed = b.clone();
    int at = random.nextInt(b.length - size + 1);
    int left = b.length - at - size;
    int number =
        switch (random.nextInt(4)) {
          case 0 -> left / (1 + random.nextInt(20));
          case 1 -> left + 1 - random.nextInt(3);
          default -> INTERESTING[random.nextInt(INTERESTING.length)];
        };
    ByteBuffer buffer = ByteBuffer.wrap(changed);
    switch (size) {
      case Short.BYTES -> buffer.putShort(at, (short) number);
      case Integer.BYTES -> buffer.putInt(at, number);
      default -> buffer.putLong(at, random.nextBoolean() ? number : random.nextLong());
    }
    return changed;
  }

  private byte[] slice(byte[] b) {
    int from = random.nextInt(b.length + 1);
    int length = random.nextInt(1 + Math.min(b.length - from, 1 + random.nextInt(64)));
    return Arrays.copyOfRange(b, from, from + length);
  }

  private byte[] inserted(byte[] b, byte[] what, int times) {
    return inserted(b, random.nextInt(b.length + 1), what, times);
  }

  private static byte[] inserted(byte[] b, int at, byte[] what, int times) {
    ByteBuffer grown = ByteBuffer.allocate(b.length + what.length * times);
    grown.put(b, 0, at);
    for (int i = 0; i < times; i++) {
      grown.put(what);
    }
    return grown.put(b, at, b.length - at).array();
  }

  private byte[] replaced(byte[] b, byte[] by) {
    int from = random.nextInt(b.length);
    int to = from + random.nextInt(1 + Math.min(b.length - from, 32));
    ByteBuffer changed = ByteBuffer.allocate(b.length - (to - from) + by.length);
    return changed.put(b, 0, from).put(by).put(b, to, b.length - to).array();
  }

  /** Repeats what may be an element of a list, and raises what may be the list's count. */
  private byte[] grownList(byte[] b, int limit) {
    if (b.length < 5) {
      return b.length == 0 ? b : inserted(b, slice(b), 1 + random.nextInt(64));
    }
    int at = count(b);
    int most = b.length - at - Integer.BYTES;
    int size = Math.min(most, SIZES[random.nextInt(SIZES.length)]);
    int times = 1 + random.nextInt(Math.max(1, (limit - b.length) / Math.max(1, size)));
    byte[] element = Arrays.copyOfRange(b, at + 4, at + 4 + size);
    if (random.nextInt(4) == 0) {
      Arrays.fill(element, (byte) 0);
    }
    byte[] grown = inserted(b, at + 4, element, times);
    ByteBuffer.wrap(grown).putInt(at, ByteBuffer.wrap(b).getInt(at) + times);
    return grown;
  }

  /** Where a small number is that may be a count. */
  private int count(byte[] b) {
    int start = random.nextInt(b.length - 4);
    for (int i = 0; i < b.length - 4; i++) {
      int at = (start + i) % (b.length - 4);
      int number = ByteBuffer.wrap(b).getInt(at);
      if (number > 0 && number < 64) {
        return at;
      }
    }
    return start;
  }

  /** Many nodes one in the other, each of which claims to have children. */
  private byte[] nested(byte[] b, int limit) {
    byte[] node = new byte[5];
    node[0] = (byte) (2 + random.nextInt(2));
    int most = random.nextInt(3) == 0 ? limit / 8 : 1 + random.nextInt(200);
    ByteBuffer.wrap(node).putInt(1, random.nextBoolean() ? 1 : random.nextInt(1 + b.length));
    return inserted(b, node, Math.min(most, limit / node.length));
  }
}
