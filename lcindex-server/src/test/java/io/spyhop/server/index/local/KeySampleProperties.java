package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.HistogramBuilder;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;

/** Statistics of keys that come in no order are those of the keys in order. */
class KeySampleProperties {
  private static final IndexDefinition DEFINITION =
      IndexDefinition.builder("a")
          .column("f:a")
          .type(ValueType.BYTES)
          .layout(Layout.COLUMNAR)
          .build();

  /** Of one length or several, with bytes in common or without, above and below 128. */
  @Provide
  Arbitrary<List<byte[]>> keys() {
    Arbitrary<Byte> some = Arbitraries.of((byte) 2, (byte) 127, (byte) 128, (byte) 255);
    Arbitrary<byte[]> tail = some.array(byte[].class).ofSize(9);
    return Arbitraries.integers()
        .between(1, 9)
        .flatMap(
            length ->
                tail.flatMap(
                    begin ->
                        Arbitraries.integers()
                            .between(0, 9)
                            .flatMap(shared -> key(begin, shared, tail, length).list())));
  }

  private static Arbitrary<byte[]> key(
      byte[] begin, int shared, Arbitrary<byte[]> tail, int length) {
    Arbitrary<Integer> lengths = Arbitraries.of(length, length, length, Math.min(9, length + 1));
    return tail.flatMap(
        t -> lengths.map(n -> Bytes.add(Bytes.copy(begin, 0, shared), Bytes.copy(t, 0, n))));
  }

  @Property
  void areThoseOfSortedKeys(@ForAll("keys") List<byte[]> keys) {
    KeySample sample = new KeySample();
    ColumnStatistics.Builder statistics = ColumnStatistics.builder();
    ColumnStatistics.Builder expected = ColumnStatistics.builder();
    HistogramBuilder histogram = HistogramBuilder.of(DEFINITION, keys.size());
    keys.forEach(k -> sample.add(ValueKey.of(k, true), statistics));
    keys.stream()
        .sorted(Bytes.BYTES_COMPARATOR)
        .forEach(
            k -> {
              expected.key(k, 0, k.length);
              histogram.add(k, 0, k.length);
            });
    expected.histogram(histogram.build());
    assertThat(sample.finish(DEFINITION, statistics)).isEqualTo(expected.build());
  }
}
