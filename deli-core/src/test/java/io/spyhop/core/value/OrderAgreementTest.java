package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.value.StoredValues.Cell;
import io.spyhop.core.value.StoredValues.Pair;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Filters compare operands, index files compare keys: both must say what Java says of the values.
 */
class OrderAgreementTest {
  @Provide
  Arbitrary<Pair> pairs() {
    return StoredValues.pairs();
  }

  @Provide
  Arbitrary<Cell> cells() {
    return StoredValues.cells();
  }

  @Property(tries = 20_000)
  void comparingWithAnOperandIsComparingValues(@ForAll("pairs") Pair p) {
    ValueCodec codec = p.type().codec();
    int expected =
        naturalOrder(codec.decode(p.a(), 0, p.a().length), codec.decode(p.b(), 0, p.b().length));
    assertThat(compare(p)).isEqualTo(expected);
    Operand a = codec.operandFromStored(p.a());
    Operand b = codec.operandFromStored(p.b());
    assertThat(Integer.signum(a.compareTo(b))).isEqualTo(expected);
    assertThat(a.equals(b)).isEqualTo(expected == 0);
  }

  @Property(tries = 20_000)
  void keysOrderAsValuesDo(@ForAll("pairs") Pair p) {
    ValueKey a = p.type().codec().key(p.a(), 0, p.a().length);
    ValueKey b = p.type().codec().key(p.b(), 0, p.b().length);
    int values = compare(p);
    int keys = Integer.signum(a.compareTo(b));
    if (values == 0) {
      assertThat(keys).as("equal values have one key").isZero();
    } else if (a.isExact() && b.isExact()) {
      assertThat(keys).as("exact keys").isEqualTo(values);
    } else if (!a.isUnkeyable() && !b.isUnkeyable()) {
      assertThat(keys * values).as("inexact keys").isNotNegative();
    }
  }

  @Property(tries = 5_000)
  void anOperandIsTheValueItWasReadFrom(@ForAll("cells") Cell cell) {
    byte[] stored = cell.bytes();
    ValueCodec codec = cell.type().codec();
    Operand operand = codec.operandFromStored(stored);
    assertThat(operand.compareStored(stored, 0, stored.length)).isZero();
    assertThat(operand.key()).isEqualTo(codec.key(stored, 0, stored.length));
    assertThat(operand.key().isExact()).isEqualTo(codec.key(stored, 0, stored.length).isExact());
    assertThat(codec.operandFromStored(operand.stored())).isEqualTo(operand);
    assertThat(codec.operandFromStored(operand.stored())).hasSameHashCodeAs(operand);
  }

  @Property(tries = 5_000)
  void aDecodedValueIsALiteralOfItself(@ForAll("cells") Cell cell) {
    ValueCodec codec = cell.type().codec();
    Operand operand = codec.operandFromStored(cell.bytes());
    assertThat(codec.operand(operand.value())).isEqualTo(operand);
    assertThat(codec.operand(codec.decode(cell.bytes(), 0, cell.bytes().length)))
        .isEqualTo(operand);
  }

  @Property(tries = 5_000)
  void onlyTheGivenPartOfAnArrayCounts(@ForAll("pairs") Pair p) {
    byte[] a = p.a();
    byte[] amid = new byte[a.length + 7];
    Arrays.fill(amid, (byte) '1');
    System.arraycopy(a, 0, amid, 3, a.length);
    ValueCodec codec = p.type().codec();
    Operand b = codec.operandFromStored(p.b());
    assertThat(codec.isDecodable(amid, 3, a.length)).isTrue();
    assertThat(b.compareStored(amid, 3, a.length)).isEqualTo(b.compareStored(a, 0, a.length));
    assertThat(codec.key(amid, 3, a.length)).isEqualTo(codec.key(a, 0, a.length));
    assertThat(codec.display(amid, 3, a.length)).isEqualTo(codec.display(a, 0, a.length));
  }

  private static int compare(Pair p) {
    Operand b = p.type().codec().operandFromStored(p.b());
    return Integer.signum(b.compareStored(p.a(), 0, p.a().length));
  }

  /** Written without any of the code under test. */
  private static int naturalOrder(Object a, Object b) {
    if (a instanceof byte[] bytes) {
      return Integer.signum(Arrays.compareUnsigned(bytes, (byte[]) b));
    }
    if (a instanceof String s) {
      int[] x = s.codePoints().toArray();
      return Integer.signum(Arrays.compare(x, ((String) b).codePoints().toArray()));
    }
    if (a instanceof Float || a instanceof Double) {
      return floating(((Number) a).doubleValue(), ((Number) b).doubleValue());
    }
    return Integer.signum(comparable(a).compareTo(b));
  }

  private static int floating(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }
    return a < b ? -1 : a > b ? 1 : 0;
  }

  @SuppressWarnings("unchecked")
  private static Comparable<Object> comparable(Object value) {
    return (Comparable<Object>) value;
  }
}
