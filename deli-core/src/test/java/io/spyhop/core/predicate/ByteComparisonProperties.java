package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate.Operator;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;

/** A cell whose bytes satisfy a comparison lies in the ranges that an index is read in. */
class ByteComparisonProperties {
  private static final ColumnName COLUMN = ColumnName.parse("f:c");

  /** Bytes near each other and near the borders of numbers; longer than a key at times. */
  @Provide
  Arbitrary<byte[]> cells() {
    Arbitrary<Byte> b =
        Arbitraries.of((byte) 0, (byte) 1, (byte) 'a', (byte) 127, (byte) -128, (byte) -1);
    Arbitrary<byte[]> any = b.array(byte[].class).ofMinSize(0).ofMaxSize(9);
    return Arbitraries.oneOf(
        any,
        b.array(byte[].class).ofSize(4),
        b.array(byte[].class).ofSize(8),
        any.map(tail -> Bytes.add(new byte[511], tail)));
  }

  @Property(tries = 20_000)
  void matchingCellsLieInTheRanges(
      @ForAll("cells") byte[] cell,
      @ForAll("cells") byte[] literal,
      @ForAll Operator operator,
      @ForAll ValueType type) {
    Optional<KeyRanges> ranges = new ByteComparison(COLUMN, operator, literal).keys(type);
    ValueKey key = type.codec().key(cell, 0, cell.length);
    if (ranges.isPresent() && key != null && satisfies(cell, operator, literal)) {
      assertThat(key.isUnkeyable() || contains(ranges.get(), key)).isTrue();
    }
  }

  @Property
  void judgesAsBytesCompare(
      @ForAll("cells") byte[] cell, @ForAll("cells") byte[] literal, @ForAll Operator operator) {
    RowJudge judge =
        ByteComparison.all(List.of(new ByteComparison(COLUMN, operator, literal))).judge();
    judge.reset();
    assertThat(judge.matches()).as("without the column").isFalse();
    judge.offer(0, cell, 0, cell.length);
    assertThat(judge.matches()).isEqualTo(satisfies(cell, operator, literal));
  }

  @Example
  void rangesAreNarrow() {
    ByteComparison below = new ByteComparison(COLUMN, Operator.LT, Bytes.toBytes(5));
    assertThat(contains(below.keys(ValueType.INT).orElseThrow(), key(-1))).isFalse();
    assertThat(contains(below.keys(ValueType.INT).orElseThrow(), key(6))).isFalse();
    ByteComparison above = new ByteComparison(COLUMN, Operator.GT, Bytes.toBytes(-5));
    assertThat(contains(above.keys(ValueType.INT).orElseThrow(), key(0))).isFalse();
    assertThat(contains(above.keys(ValueType.INT).orElseThrow(), key(-6))).isFalse();
    assertThat(below.keys(ValueType.DOUBLE)).isEmpty();
    assertThat(new ByteComparison(COLUMN, Operator.NE, new byte[4]).keys(ValueType.INT)).isEmpty();
    ByteComparison odd = new ByteComparison(COLUMN, Operator.EQ, new byte[3]);
    assertThat(odd.keys(ValueType.INT)).contains(KeyRanges.NONE);
    assertThat(odd.keys(ValueType.DOUBLE)).isEmpty();
  }

  private static ValueKey key(int value) {
    return ValueType.INT.codec().key(Bytes.toBytes(value), 0, Integer.BYTES);
  }

  private static boolean satisfies(byte[] cell, Operator operator, byte[] literal) {
    int c = Arrays.compareUnsigned(cell, literal);
    return switch (operator) {
      case EQ -> c == 0;
      case NE -> c != 0;
      case LT -> c < 0;
      case LE -> c <= 0;
      case GT -> c > 0;
      case GE -> c >= 0;
    };
  }

  private static boolean contains(KeyRanges ranges, ValueKey key) {
    for (KeyRange r : ranges.ranges()) {
      if ((r.lower() == null || r.lower().compareTo(key) <= 0)
          && (r.upper() == null || r.upper().compareTo(key) >= 0)) {
        return true;
      }
    }
    return false;
  }
}
