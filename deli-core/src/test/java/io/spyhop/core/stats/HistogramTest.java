package io.spyhop.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.Histogram.Between;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.Frame;
import java.io.IOException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private static ValueKey key(long v) {
    byte[] b = Bytes.toBytes(v);
    return ValueType.LONG.codec().key(b, 0, b.length);
  }

  private static KeyRange range(ValueKey lower, ValueKey upper) {
    return new KeyRange(lower, upper);
  }

  private static IndexDefinition.Builder index() {
    return IndexDefinition.builder("a").column("f:a").type(ValueType.LONG);
  }

  private static void add(HistogramBuilder h, long value, int times) {
    for (int i = 0; i < times; i++) {
      h.add(key(value).bytes(), 0, key(value).bytes().length);
    }
  }

  @Test
  void declaredIntervalsCountAsThePaperSays() {
    HistogramBuilder b = HistogramBuilder.of(index().range(0, 100).flags(10).build(), 0);
    for (int v = -5; v <= 205; v++) {
      add(b, v, 1);
    }
    Histogram h = b.build();
    assertThat(h.bounds()).hasSize(11);
    assertThat(h.counts()).containsExactly(6, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 105);
    assertThat(h.between(range(key(11), key(20)))).isEqualTo(new Between(1, 10));
    assertThat(h.between(range(key(10), key(20)))).isEqualTo(new Between(11, 11));
    assertThat(h.between(range(key(10), key(29)))).isEqualTo(new Between(11, 20));
    assertThat(h.between(range(key(15), key(15)))).isEqualTo(new Between(0, 9));
    assertThat(h.between(range(key(20), key(20)))).isEqualTo(new Between(1, 1));
    assertThat(h.between(range(key(150), null))).isEqualTo(new Between(0, 105));
    assertThat(h.between(range(null, key(0)))).isEqualTo(new Between(6, 6));
    assertThat(h.between(range(null, null))).isEqualTo(new Between(211, 211));
  }

  @Test
  void aSkewedValueGetsAnIntervalOfItsOwn() {
    HistogramBuilder b = HistogramBuilder.of(index().flags(10).build(), 1000);
    for (int v = 0; v < 100; v++) {
      add(b, v, 1);
    }
    add(b, 100, 800);
    for (int v = 101; v < 201; v++) {
      add(b, v, 1);
    }
    Histogram h = b.build();
    assertThat(h.total()).isEqualTo(1000);
    assertThat(h.between(range(key(100), key(100)))).isEqualTo(new Between(800, 800));
    assertThat(h.between(range(key(5), key(5))).most()).isLessThanOrEqualTo(100);
  }

  @Test
  void survivesTheWire() throws IOException {
    HistogramBuilder b = HistogramBuilder.of(index().build(), 10);
    add(b, 3, 7);
    ColumnStatistics.Builder s = ColumnStatistics.builder();
    s.row(true);
    s.row(false);
    s.entry(true);
    s.undecodableCell();
    s.key(key(3).bytes(), 0, key(3).bytes().length);
    s.histogram(b.build());
    ColumnStatistics written = s.build();
    byte[] frame = Frame.encode(1, 1, written::write);
    assertThat(Frame.decode("s", 1, 1, frame, ColumnStatistics::read)).isEqualTo(written);
  }
}
