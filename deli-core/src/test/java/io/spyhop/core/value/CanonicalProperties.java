package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.value.StoredValues.Cell;
import io.spyhop.core.value.StoredValues.Pair;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;

/** Values have the same canonical bytes if they compare as equal, and else others. */
class CanonicalProperties {
  @Provide
  Arbitrary<Pair> pairs() {
    return StoredValues.pairs();
  }

  @Provide
  Arbitrary<Cell> junk() {
    return StoredValues.junk();
  }

  @Property(tries = 20_000)
  void tellsWhetherValuesAreEqual(@ForAll("pairs") Pair pair) {
    ValueCodec codec = pair.type().codec();
    byte[] a = canonical(codec, pair.a());
    byte[] b = canonical(codec, pair.b());
    boolean decodable = codec.isDecodable(pair.a(), 0, pair.a().length);
    assertThat(a != null).isEqualTo(decodable);
    if (a == null || b == null) {
      return;
    }
    Operand operand = codec.operandFromStored(pair.a());
    assertThat(Bytes.equals(a, b))
        .isEqualTo(operand.compareStored(pair.b(), 0, pair.b().length) == 0);
    assertThat(operand.compareStored(a, 0, a.length)).as("stands for the value").isZero();
    assertThat(canonical(codec, a)).as("is its own").isEqualTo(a);
    ValueKey key = codec.key(pair.a(), 0, pair.a().length);
    if (key.isExact()) {
      assertThat(codec.storedOf(key.bytes())).as("by the key").isEqualTo(a);
      byte[] longer = Arrays.copyOf(key.bytes(), key.bytes().length + 8);
      assertThat(codec.storedOf(longer)).as("zeros behind it").isEqualTo(a);
    }
  }

  @Property(tries = 20_000)
  void isNothingOfWhatDoesNotDecode(@ForAll("junk") Cell cell) {
    ValueCodec codec = cell.type().codec();
    byte[] b = cell.bytes();
    assertThat(canonical(codec, b) != null).isEqualTo(codec.isDecodable(b, 0, b.length));
  }

  @Example
  void endsWhereTheScaleDoes() {
    byte[] least = Bytes.toBytes(new BigDecimal(BigInteger.valueOf(100), Integer.MIN_VALUE));
    byte[] same = Bytes.toBytes(new BigDecimal(BigInteger.valueOf(1000), Integer.MIN_VALUE + 1));
    ValueCodec codec = ValueType.DECIMAL.codec();
    assertThat(canonical(codec, same)).isEqualTo(canonical(codec, least));
  }

  private static byte[] canonical(ValueCodec codec, byte[] b) {
    return codec.canonical(b, 0, b.length);
  }
}
