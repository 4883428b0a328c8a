package io.spyhop.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.InvalidValueException;
import io.spyhop.core.value.ValueType;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SplitSamplerTest {
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("v")
          .kind(IndexKind.GLOBAL)
          .column("f:v")
          .type(ValueType.LONG)
          .build();

  private static List<String> quantiles(int parts, String... keys) {
    List<byte[]> all = Stream.of(keys).map(Bytes::toBytes).toList();
    return SplitSampler.quantiles(all, parts).stream().map(Bytes::toString).toList();
  }

  @Test
  void cutsIntoPartsOfEqualSize() {
    assertThat(quantiles(2, "d", "a", "c", "b")).containsExactly("c");
    assertThat(quantiles(4, "a", "b", "c", "d")).containsExactly("b", "c", "d");
  }

  @Test
  void neverCutsWhereNothingIsBefore() {
    assertThat(quantiles(4)).isEmpty();
    assertThat(quantiles(4, "a", "a", "a", "a", "b")).isEmpty();
    assertThat(quantiles(3, "a", "b", "b", "b", "b")).containsExactly("b");
  }

  @Test
  void takesLiterals() {
    assertThat(SplitSampler.ofValues(INDEX, List.of(7, "5")))
        .usingElementComparator(Bytes.BYTES_COMPARATOR)
        .containsExactly(
            INDEX.type().codec().operand(5).key().bytes(),
            INDEX.type().codec().operand(7).key().bytes());
    assertThatThrownBy(() -> SplitSampler.ofValues(INDEX, List.of("blue")))
        .isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> SplitSampler.ofValues(INDEX, List.of(7, "5", 7L)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("split value 7 is given twice");
  }
}
