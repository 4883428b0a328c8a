package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.value.StoredValues.Cell;
import io.spyhop.core.value.StoredValues.Pair;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComposedKeyTest {
  @Provide
  Arbitrary<Pair> pairs() {
    return StoredValues.pairs();
  }

  @Provide
  Arbitrary<Cell> cells() {
    return StoredValues.cells();
  }

  @Provide
  Arbitrary<byte[]> rows() {
    return StoredValues.bytes();
  }

  private static byte[] key(ValueType type, byte[] stored) {
    return type.codec().key(stored, 0, stored.length).bytes();
  }

  @Property(tries = 20_000)
  void ordersByValueKeyThenByRow(
      @ForAll("pairs") Pair p, @ForAll("rows") byte[] rowA, @ForAll("rows") byte[] rowB) {
    byte[] a = key(p.type(), p.a());
    byte[] b = key(p.type(), p.b());
    int byKey = Arrays.compareUnsigned(a, b);
    int expected = byKey != 0 ? byKey : Arrays.compareUnsigned(rowA, rowB);
    int composed =
        Arrays.compareUnsigned(ComposedKey.compose(a, rowA), ComposedKey.compose(b, rowB));
    assertThat(Integer.signum(composed)).isEqualTo(Integer.signum(expected));
  }

  @Property(tries = 10_000)
  void comesApartAgain(@ForAll("cells") Cell cell, @ForAll("rows") byte[] row) {
    byte[] key = key(cell.type(), cell.bytes());
    byte[] composed = ComposedKey.compose(key, row);
    assertThat(ComposedKey.valueKeyLength(composed, 0, composed.length)).isEqualTo(key.length);
    ComposedKey split = ComposedKey.split(composed, 0, composed.length);
    assertThat(split.valueKey()).isEqualTo(key);
    assertThat(split.row()).isEqualTo(row);
  }

  @Property
  void lengthStaysWithinTheGivenPart(@ForAll("cells") Cell cell, @ForAll("rows") byte[] row) {
    byte[] key = key(cell.type(), cell.bytes());
    byte[] amid = Bytes.add(new byte[] {0x37, -1}, ComposedKey.compose(key, row), new byte[] {9});
    assertThat(ComposedKey.valueKeyLength(amid, 2, key.length + row.length)).isEqualTo(key.length);
    assertThatThrownBy(() -> ComposedKey.valueKeyLength(amid, 2, key.length - 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Provide
  Arbitrary<byte[]> junk() {
    return Arbitraries.oneOf(rows(), StoredValues.junk().map(Cell::bytes));
  }

  @Property(tries = 10_000)
  void junkIsRefusedOrHasALength(@ForAll("junk") byte[] junk) {
    try {
      assertThat(ComposedKey.valueKeyLength(junk, 0, junk.length)).isBetween(1, junk.length);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("does not start with a value key");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\\x00",
        "\\x02",
        "7",
        "7\\x80",
        "\\x2C\\x80",
        "8abc",
        "\\xD3\\x7F",
        "\"\\xFF"
      })
  void refusesWhatIsNoKey(String bytes) {
    byte[] b = Bytes.toBytesBinary(bytes);
    assertThatThrownBy(() -> ComposedKey.split(b, 0, b.length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + Bytes.toStringBinary(b) + "' does not start with a value key");
  }

  @Test
  void rowsOfOneValueStayTogetherWhateverTheirBytes() {
    byte[] a = ValueType.STRING.codec().operand("a").key().bytes();
    byte[] next = ValueType.STRING.codec().operand("a\0").key().bytes();
    byte[] greatestRow = {-1, -1, -1};
    byte[] last = ComposedKey.compose(a, greatestRow);
    assertThat(Bytes.compareTo(last, ComposedKey.compose(next, new byte[0]))).isNegative();
    assertThat(Bytes.compareTo(ComposedKey.compose(a, new byte[0]), last)).isNegative();
  }

  @Test
  void unkeyableIsOneByte() {
    byte[] composed = ComposedKey.compose(ValueKey.UNKEYABLE.bytes(), new byte[] {1, 5});
    ComposedKey split = ComposedKey.split(composed, 0, composed.length);
    assertThat(split.valueKey()).containsExactly(1);
    assertThat(split.row()).containsExactly(1, 5);
    assertThat(split).hasToString("\\x01 + \\x01\\x05");
  }
}
