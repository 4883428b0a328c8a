package io.spyhop.server.index.local.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A block finds all rows that match, and of numbers that differ little no others; it is certain of
 * no row that does not match.
 */
class ColumnBlockProperties {
  private static final ColumnBlock.Room ROOM = new ColumnBlock.Room();

  /** Numbers close together, far apart, few; texts that begin alike, and others. */
  enum Values {
    CLOSE,
    FAR,
    FEW,
    DOUBLES,
    PRICES,
    ALIKE,
    TEXTS;

    ValueKey draw(Random r) {
      return switch (this) {
        case CLOSE -> key(ValueType.LONG, Bytes.toBytes(1_000_000_000_000L + r.nextInt(100_000)));
        case FAR -> key(ValueType.LONG, Bytes.toBytes(r.nextLong()));
        case FEW -> key(ValueType.STRING, Bytes.toBytes("status " + r.nextInt(5)));
        case DOUBLES -> key(ValueType.DOUBLE, Bytes.toBytes(r.nextGaussian() * 1e6));
        case PRICES -> key(ValueType.DOUBLE, Bytes.toBytes((r.nextInt(50_000_000) - 1000) / 100.0));
        case ALIKE ->
            key(ValueType.STRING, Bytes.toBytes("https://example/" + r.nextInt(1 << 20) + "x"));
        case TEXTS -> {
          byte[] text = new byte[r.nextInt(12)];
          r.nextBytes(text);
          yield key(ValueType.BYTES, text);
        }
      };
    }

    /** Whether each value has a code of its own. */
    boolean isExact() {
      return this == CLOSE || this == FEW || this == PRICES;
    }

    private static ValueKey key(ValueType type, byte[] value) {
      return type.codec().key(value, 0, value.length);
    }
  }

  private enum Row {
    WITHOUT,
    SEVERAL,
    ONE
  }

  @Property(tries = 300)
  void findsTheFirstRowsInTheOrderOfValues(
      @ForAll Values values,
      @ForAll @IntRange(min = 1, max = 4096) int rows,
      @ForAll @IntRange(min = 1, max = 600) int wanted,
      @ForAll boolean greatest,
      @ForAll long seed)
      throws IOException {
    Random r = new Random(seed);
    ColumnBlockBuilder builder = new ColumnBlockBuilder();
    List<ValueKey> keys = new ArrayList<>();
    long[] among = RowBits.none(rows);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      keys.add(values.draw(r));
      builder.add(keys.get(i), /* several= */ false, /* isComplex= */ false);
      if (r.nextInt(4) > 0) {
        RowBits.set(among, i);
        order.add(i);
      }
    }
    byte[] bytes = builder.finish();
    ColumnBlock block = ColumnBlock.decode(bytes, 0, bytes.length, ROOM);
    long[] first = RowBits.none(rows);
    block.addFirst(wanted, greatest, among, first);
    Comparator<Integer> byKey = Comparator.comparing(keys::get);
    order.sort((greatest ? byKey.reversed() : byKey).thenComparing(i -> i));
    int found = (int) RowBits.count(first);
    assertThat(found).isGreaterThanOrEqualTo(Math.min(wanted, order.size()));
    if (block.isExact()) {
      assertThat(found).isEqualTo(Math.min(wanted, order.size()));
      assertThat(order.subList(0, found)).allMatch(i -> RowBits.get(first, i));
    } else {
      // Rows that share a code are found together, whatever their order.
      assertThat(order.subList(0, found).stream().map(keys::get))
          .containsExactlyInAnyOrderElementsOf(
              order.stream().filter(i -> RowBits.get(first, i)).map(keys::get).toList());
    }
  }

  @Property(tries = 300)
  void findsAllRowsThatMatch(
      @ForAll Values values, @ForAll @IntRange(min = 1, max = 4096) int rows, @ForAll long seed)
      throws IOException {
    Random r = new Random(seed);
    ColumnBlockBuilder builder = new ColumnBlockBuilder();
    List<ValueKey> keys = new ArrayList<>();
    List<Row> kinds = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Row kind = r.nextInt(10) > 0 ? Row.ONE : Row.values()[r.nextInt(2)];
      kinds.add(kind);
      keys.add(kind == Row.ONE ? values.draw(r) : null);
      builder.add(kind == Row.ONE ? keys.get(i) : null, kind == Row.SEVERAL, i % 7 == 0);
    }
    byte[] bytes = builder.finish();
    byte[] padded = new byte[bytes.length + 5];
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    ColumnBlock block = ColumnBlock.decode(padded, 3, bytes.length, ROOM);
    assertThat(block.rows()).isEqualTo(rows);
    for (int n : new int[] {0, 1, 2, 30}) {
      KeyRanges ranges = ranges(values, n, r);
      long[] found = RowBits.none(rows);
      block.addMatching(ranges, found);
      for (int i = 0; i < rows; i++) {
        boolean matches =
            switch (kinds.get(i)) {
              case SEVERAL -> true;
              case WITHOUT -> false;
              case ONE -> ranges.overlaps(keys.get(i).bytes(), keys.get(i).bytes());
            };
        boolean isFound = RowBits.get(found, i);
        if (matches || kinds.get(i) == Row.WITHOUT || values.isExact()) {
          assertThat(isFound).as("row %d of %s in %s", i, keys.get(i), ranges).isEqualTo(matches);
        }
      }
    }
    for (int n : new int[] {0, 1, 2, 30}) {
      KeyRanges ranges = ranges(values, n, r);
      if (r.nextBoolean()) {
        searchSome(block, ranges, r);
      }
      requireCertain(block, values, ranges, kinds, keys);
    }
    requireTold(block, values, kinds, keys);
    long[] present = RowBits.none(rows);
    block.addPresent(present);
    long[] complex = RowBits.none(rows);
    block.addComplex(complex);
    for (int i = 0; i < rows; i++) {
      assertThat(RowBits.get(present, i)).isEqualTo(kinds.get(i) != Row.WITHOUT);
      assertThat(block.isPresent(i)).isEqualTo(RowBits.get(present, i));
      assertThat(RowBits.get(complex, i)).isEqualTo(i % 7 == 0);
      assertThat(block.isComplex(i)).isEqualTo(RowBits.get(complex, i));
    }
  }

  /** What is looked for next may have been looked for among other rows before. */
  private static void searchSome(ColumnBlock block, KeyRanges ranges, Random r) {
    long[] some = RowBits.all(block.rows());
    if (r.nextBoolean()) {
      some[r.nextInt(some.length)] &= r.nextLong();
    }
    block.addMatching(ranges, some, RowBits.none(block.rows()));
  }

  /** Of a condition that the ends of ranges do not fulfil, but what lies within. */
  private static void requireCertain(
      ColumnBlock block, Values values, KeyRanges ranges, List<Row> kinds, List<ValueKey> keys) {
    long[] among = RowBits.all(block.rows());
    among[0] &= ~4L;
    Set<ByteBuffer> there =
        keys.stream()
            .filter(Objects::nonNull)
            .map(k -> withoutZeros(k.bytes()))
            .collect(Collectors.toSet());
    Predicate<byte[]> within =
        key -> {
          // A code of a price is a price, whether there is such a row or not.
          assertThat(values == Values.PRICES || there.contains(withoutZeros(key)))
              .as("asked of a key of the block")
              .isTrue();
          return ranges.ranges().stream().anyMatch(w -> isWithin(w, key));
        };
    for (boolean isTrueWithin : new boolean[] {true, false}) {
      long[] certain = RowBits.none(block.rows());
      block.addCertain(ranges, isTrueWithin, within, among, certain);
      for (int i = 0; i < block.rows(); i++) {
        boolean matches = i != 2 && kinds.get(i) == Row.ONE && within.test(keys.get(i).bytes());
        if (!matches || values.isExact()) {
          assertThat(RowBits.get(certain, i)).as("row %d of %s", i, ranges).isEqualTo(matches);
        }
      }
    }
  }

  private static boolean isWithin(KeyRange range, byte[] key) {
    return (range.lower() == null || Arrays.compareUnsigned(key, range.lower().bytes()) > 0)
        && (range.upper() == null || Arrays.compareUnsigned(key, range.upper().bytes()) < 0)
        && !isZeros(range, key);
  }

  private static ByteBuffer withoutZeros(byte[] key) {
    int length = key.length;
    while (length > 0 && key[length - 1] == 0) {
      length--;
    }
    return ByteBuffer.wrap(key, 0, length);
  }

  /** Zeros may follow a key. */
  private static boolean isZeros(KeyRange range, byte[] key) {
    byte[] lower = range.lower() == null ? new byte[0] : range.lower().bytes();
    return lower.length > 0
        && key.length > lower.length
        && Arrays.equals(Arrays.copyOf(lower, key.length), key);
  }

  private static void requireTold(
      ColumnBlock block, Values values, List<Row> kinds, List<ValueKey> keys) {
    long[] told = RowBits.all(block.rows());
    block.retainTold(told);
    long[] codes = block.codes(told);
    for (int i = 0; i < block.rows(); i++) {
      boolean is = RowBits.get(told, i);
      if (kinds.get(i) != Row.ONE || values.isExact()) {
        assertThat(is).isEqualTo(kinds.get(i) != Row.SEVERAL);
      }
      if (is && kinds.get(i) == Row.ONE) {
        byte[] key = block.key(codes[i]);
        assertThat(Arrays.copyOf(keys.get(i).bytes(), key.length)).isEqualTo(key);
        assertThat(key.length).isGreaterThanOrEqualTo(keys.get(i).bytes().length);
        Double number = block.number(codes[i]);
        if (number != null) {
          assertThat(ValueType.DOUBLE.codec().operand(number).key()).isEqualTo(keys.get(i));
        }
      }
    }
  }

  private static KeyRanges ranges(Values values, int n, Random r) {
    if (n == 0) {
      return KeyRanges.ALL;
    }
    List<KeyRanges> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      ValueKey[] ends = {values.draw(r), values.draw(r)};
      Arrays.sort(ends);
      boolean point = n > 2 && r.nextBoolean();
      all.add(
          KeyRanges.of(
              new KeyRange(
                  r.nextInt(4) == 0 && n < 3 ? null : ends[0],
                  point ? ends[0] : r.nextInt(4) == 0 && n < 3 ? null : ends[1])));
    }
    return KeyRanges.unionOf(all);
  }
}
