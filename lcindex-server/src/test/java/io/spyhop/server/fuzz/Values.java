package io.spyhop.server.fuzz;

import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.Frame;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/** Parts of valid messages. Not thread-safe. */
final class Values {
  private static final int MANY = 200;

  private final SplittableRandom random;

  Values(SplittableRandom random) {
    this.random = random;
  }

  boolean flag() {
    return random.nextBoolean();
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  long number() {
    return random.nextLong() >>> random.nextInt(1, 64);
  }

  byte[] bytes(int least, int most) {
    byte[] b = new byte[random.nextInt(least, most + 1)];
    for (int i = 0; i < b.length; i++) {
      b[i] = (byte) random.nextInt();
    }
    return b;
  }

  byte[] bytes() {
    return bytes(0, 12);
  }

  String name() {
    StringBuilder name = new StringBuilder();
    for (int n = random.nextInt(1, 8); n > 0; n--) {
      name.append((char) ('a' + random.nextInt(26)));
    }
    return name.toString();
  }

  String hex(int digits) {
    StringBuilder hex = new StringBuilder();
    for (int n = digits; n > 0; n--) {
      hex.append(Character.forDigit(random.nextInt(16), 16));
    }
    return hex.toString();
  }

  <T> T one(T[] of) {
    return of[random.nextInt(of.length)];
  }

  /** Few or none, now and then many. */
  <T> List<T> list(Supplier<T> element) {
    int count = random.nextInt(12) == 0 ? random.nextInt(MANY) : random.nextInt(4);
    List<T> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(element.get());
    }
    return list;
  }

  /** A literal of a type, as {@link ValueCodec#operand} takes it. */
  Object literal(ValueType type) {
    return switch (type) {
      case STRING, ORDERED_STRING -> name();
      case BYTES, ORDERED_BLOB -> bytes();
      case BOOLEAN -> flag();
      case DATE -> java.time.LocalDate.ofEpochDay(random.nextInt(20_000));
      case DECIMAL, ORDERED_NUMERIC ->
          BigDecimal.valueOf(random.nextInt(1_000_000), random.nextInt(8));
      case INT, ORDERED_INT32, LONG, TIMESTAMP, TEXT_LONG, ORDERED_INT64 -> random.nextInt();
      case ORDERED_INT8, ORDERED_INT16 -> random.nextInt(100);
      default -> random.nextInt(1_000) / 8.0;
    };
  }

  /** A key of a value of the type. */
  byte[] key(ValueType type) {
    return type.codec().operand(literal(type)).key().bytes();
  }

  /** A frame by its letters, as {@code docs/formats} has it. */
  static byte[] frame(String letters, Frame.Body body) {
    return frame(letters, 1, body);
  }

  static byte[] frame(String letters, int version, Frame.Body body) {
    int magic = 0;
    for (int i = 0; i < letters.length(); i++) {
      magic = magic << 8 | letters.charAt(i);
    }
    return Frame.encode(magic, version, body);
  }

  /** Part of a seed that is written by code that declares to fail. */
  static Function<Values, byte[]> unfailing(Making making) {
    return values -> {
      try {
        return making.of(values);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    };
  }

  /** Makes a seed. */
  @FunctionalInterface
  interface Making {
    byte[] of(Values values) throws IOException;
  }
}
