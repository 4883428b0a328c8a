package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/** {@link KnownColumns} against the qualifiers themselves. */
class KnownColumnsProperties {
  /** Rows of some of many columns, each perhaps several times. */
  @Property(tries = 200)
  void tellsColumnsAndRepetitions(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3 * KnownColumns.MOST) int columns) {
    Random r = new Random(seed);
    KnownColumns<String> known = new KnownColumns<>(Bytes::toStringBinary);
    for (int row = 0; row < 20; row++) {
      TreeSet<String> qualifiers = new TreeSet<>();
      int most = r.nextInt(10) == 0 ? columns : Math.min(columns, 5);
      for (int i = r.nextInt(most + 1); i > 0; i--) {
        int column = r.nextInt(columns);
        qualifiers.add(column == 0 ? "" : "c" + column);
      }
      known.begin();
      for (String q : qualifiers) {
        for (int version = 0; version <= r.nextInt(3); version++) {
          KeyValue cell =
              new KeyValue(
                  Bytes.toBytes("row"),
                  Bytes.toBytes("f"),
                  Bytes.toBytes(q),
                  9L - version,
                  new byte[0]);
          assertThat(known.of(cell)).isEqualTo(q);
          assertThat(known.isRepeated()).as("version %d of %s", version, q).isEqualTo(version > 0);
        }
      }
    }
  }
}
