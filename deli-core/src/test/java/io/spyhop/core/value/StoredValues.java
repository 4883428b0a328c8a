package io.spyhop.core.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** Generators of stored bytes: of every type, with many ties and edges, and of no type at all. */
final class StoredValues {
  private StoredValues() {}

  /** Two cells of one type. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  record Pair(ValueType type, byte[] a, byte[] b) {
    @Override
    public String toString() {
      return type + " " + Bytes.toStringBinary(a) + " / " + Bytes.toStringBinary(b);
    }
  }

  /** Bytes that may or may not be a value of the type. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  record Cell(ValueType type, byte[] bytes) {
    @Override
    public String toString() {
      return type + " " + Bytes.toStringBinary(bytes);
    }
  }

  static Arbitrary<ValueType> types() {
    return Arbitraries.of(ValueType.values());
  }

  static Arbitrary<Pair> pairs() {
    return types().flatMap(t -> Combinators.combine(of(t), of(t)).as((a, b) -> new Pair(t, a, b)));
  }

  static Arbitrary<Cell> cells() {
    return types().flatMap(t -> of(t).map(b -> new Cell(t, b)));
  }

  /** Arbitrary bytes, and values of some type that were cut, extended or changed in one place. */
  static Arbitrary<Cell> junk() {
    Arbitrary<byte[]> damaged =
        Combinators.combine(
                cells(), Arbitraries.integers(), Arbitraries.bytes(), Arbitraries.integers())
            .as((cell, at, with, how) -> damage(cell.bytes(), at, with, Math.floorMod(how, 3)));
    return Combinators.combine(types(), Arbitraries.oneOf(bytes(), damaged, damaged, damaged))
        .as(Cell::new);
  }

  private static byte[] damage(byte[] bytes, int at, byte with, int how) {
    if (how == 0) {
      return Arrays.copyOf(bytes, Math.floorMod(at, bytes.length + 1));
    }
    byte[] damaged = Arrays.copyOf(bytes, bytes.length + (how == 1 ? 1 : 0));
    if (damaged.length > 0) {
      damaged[how == 1 ? damaged.length - 1 : Math.floorMod(at, damaged.length)] = with;
    }
    return damaged;
  }

  /** Values of the type, as HBase's own writers (or, for text, their users) store them. */
  static Arbitrary<byte[]> of(ValueType type) {
    return switch (type) {
      case STRING -> text().map(StoredValues::utf8);
      case BYTES -> bytes();
      case INT -> Arbitraries.integers().map(Bytes::toBytes);
      case LONG, TIMESTAMP -> Arbitraries.longs().map(Bytes::toBytes);
      case FLOAT -> floats().map(Bytes::toBytes);
      case DOUBLE -> doubles().map(Bytes::toBytes);
      case DECIMAL -> decimals().map(Bytes::toBytes);
      case BOOLEAN -> Arbitraries.bytes().map(b -> new byte[] {b});
      case DATE -> dates().map(d -> utf8(d.toString()));
      case TEXT_LONG -> textLongs().map(StoredValues::utf8);
      case TEXT_DOUBLE -> textDoubles().map(StoredValues::utf8);
      case ORDERED_INT8 ->
          Arbitraries.bytes()
              .map(v -> ordered(r -> OrderedBytes.encodeInt8(r, v, Order.ASCENDING)));
      case ORDERED_INT16 ->
          Arbitraries.shorts()
              .map(v -> ordered(r -> OrderedBytes.encodeInt16(r, v, Order.ASCENDING)));
      case ORDERED_INT32 ->
          Arbitraries.integers()
              .map(v -> ordered(r -> OrderedBytes.encodeInt32(r, v, Order.ASCENDING)));
      case ORDERED_INT64 ->
          Arbitraries.longs()
              .map(v -> ordered(r -> OrderedBytes.encodeInt64(r, v, Order.ASCENDING)));
      case ORDERED_FLOAT32 ->
          floats().map(v -> ordered(r -> OrderedBytes.encodeFloat32(r, v, Order.ASCENDING)));
      case ORDERED_FLOAT64 ->
          doubles().map(v -> ordered(r -> OrderedBytes.encodeFloat64(r, v, Order.ASCENDING)));
      case ORDERED_NUMERIC -> shortDecimals().map(StoredValues::orderedNumeric);
      case ORDERED_STRING ->
          text()
              .map(s -> s.replace("\0", ""))
              .map(s -> ordered(r -> OrderedBytes.encodeString(r, s, Order.ASCENDING)));
      case ORDERED_BLOB -> bytes().map(StoredValues::orderedBlob);
    };
  }

  /** Writes one value with {@link OrderedBytes}. */
  static byte[] ordered(ToIntFunction<PositionedByteRange> writer) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(4096);
    int length = writer.applyAsInt(range);
    return Arrays.copyOf(range.getBytes(), length);
  }

  static byte[] orderedNumeric(BigDecimal value) {
    return ordered(r -> OrderedBytes.encodeNumeric(r, value, Order.ASCENDING));
  }

  static byte[] orderedBlob(byte[] content) {
    return ordered(r -> OrderedBytes.encodeBlobVar(r, content, Order.ASCENDING));
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Byte strings over few different bytes, sometimes around the length at which keys are cut. */
  static Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> edges = Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7f, (byte) 0x80, (byte) -1);
    Arbitrary<Byte> any = Arbitraries.oneOf(edges, Arbitraries.bytes());
    Arbitrary<byte[]> shortOnes = any.array(byte[].class).ofMaxSize(10);
    int cut = ValueCodec.MAX_KEYED_BYTES;
    Arbitrary<byte[]> longOnes =
        Combinators.combine(Arbitraries.integers().between(cut - 2, cut + 3), edges, edges)
            .as((length, fill, last) -> filled(length, fill, last));
    return Arbitraries.oneOf(shortOnes, shortOnes, shortOnes, shortOnes, longOnes);
  }

  private static byte[] filled(int length, byte fill, byte last) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, fill);
    bytes[length - 1] = last;
    return bytes;
  }

  private static Arbitrary<String> text() {
    Arbitrary<Integer> edges =
        Arbitraries.of(0, 0x61, 0x62, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000);
    Arbitrary<Integer> any =
        Arbitraries.integers().between(0, 0x10ffff).filter(c -> c < 0xd800 || c > 0xdfff);
    Arbitrary<String> shortOnes =
        Arbitraries.oneOf(edges, any)
            .list()
            .ofMaxSize(8)
            .map(l -> l.stream().map(Character::toString).collect(Collectors.joining()));
    return Combinators.combine(shortOnes, Arbitraries.of(0, 0, 0, 0, 0, 170, 256))
        .as((s, times) -> times == 0 ? s : "äx".repeat(times) + s);
  }

  private static Arbitrary<Float> floats() {
    return Arbitraries.oneOf(
        Arbitraries.integers().map(Float::intBitsToFloat),
        Arbitraries.of(0f, -0f, Float.NaN, Float.intBitsToFloat(-1), 1f, 0.1f));
  }

  private static Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Double::longBitsToDouble),
        Arbitraries.of(0d, -0d, Double.NaN, Double.longBitsToDouble(-1), 1d, 0.1));
  }

  /** Of every length and scale, many of them alike in the first digits. */
  static Arbitrary<BigDecimal> decimals() {
    Arbitrary<BigInteger> unscaled =
        Arbitraries.oneOf(
            Arbitraries.longs().map(BigInteger::valueOf),
            Arbitraries.bigIntegers(),
            Arbitraries.integers().between(-100, 100).map(BigInteger::valueOf),
            Arbitraries.integers()
                .between(-20, 20)
                .map(i -> BigInteger.TEN.pow(32).add(BigInteger.valueOf(i))),
            Arbitraries.integers()
                .between(28, 40)
                .map(n -> BigInteger.TEN.pow(n).subtract(BigInteger.ONE)));
    Arbitrary<Integer> scale =
        Arbitraries.oneOf(
            Arbitraries.integers().between(-3, 3),
            Arbitraries.integers().between(30, 42),
            Arbitraries.integers().between(-1100, 1100),
            Arbitraries.integers());
    return Combinators.combine(unscaled, scale).as(BigDecimal::new);
  }

  private static Arbitrary<BigDecimal> shortDecimals() {
    return decimals()
        .filter(d -> Math.abs((long) d.scale()) < OrderedNumeric.MAX_MAGNITUDE - 100)
        .map(d -> d.round(new MathContext(31, RoundingMode.DOWN)));
  }

  private static Arbitrary<LocalDate> dates() {
    long first = LocalDate.of(0, 1, 1).toEpochDay();
    long last = LocalDate.of(9999, 12, 31).toEpochDay();
    return Arbitraries.longs().between(first, last).map(LocalDate::ofEpochDay);
  }

  private static Arbitrary<String> textLongs() {
    return Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(0, 3))
        .as((v, zeros) -> Long.toString(v).replaceFirst("\\d", "0".repeat(zeros) + "$0"));
  }

  private static Arbitrary<String> textDoubles() {
    Arbitrary<String> written = doubles().filter(Double::isFinite).map(d -> Double.toString(d));
    Arbitrary<String> decimal =
        decimals().map(BigDecimal::toString).filter(s -> Double.isFinite(Double.parseDouble(s)));
    return Arbitraries.oneOf(written, decimal, Arbitraries.of("0", "-0", "+1", ".5", "5.", "1e3"));
  }
}
