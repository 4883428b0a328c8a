package io.spyhop.client.internal.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows are {@code r0000000} and so on; one of them has a cell, which a scan reads. */
class WeighingTest {
  private static final EntryCosts COSTS = new EntryCosts(1, 10, 200, 1_500);
  private static final Predicate ONE = Predicates.column("a").eq(1L);
  private static final Predicate TWO = Predicates.and(ONE, Predicates.column("b").eq(1L));

  private static final IndexSchema SCHEMA = IndexSchema.of(List.of(index("a"), index("b")));

  private static IndexDefinition index(String column) {
    return IndexDefinition.builder(column).column("f:" + column).type(ValueType.LONG).build();
  }

  private static BoundPredicate bind(Predicate predicate) {
    SchemaResolver resolver = new SchemaResolver("t", SCHEMA, List.of("f"));
    return Binder.bind(predicate, resolver);
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r%07d".formatted(i));
  }

  /** How many rows are below a key. */
  private static double numberOf(byte[] key) {
    return Integer.parseInt(Bytes.toString(key, 1, 7)) + (key.length > 8 ? 1 : 0);
  }

  /** Every {@code step}-th row. */
  private static NavigableMap<byte[], Integer> rows(int count, int step) {
    NavigableMap<byte[], Integer> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    IntStream.range(0, count).forEach(i -> rows.put(row(i * step), i));
    return rows;
  }

  /** A table of so many rows. */
  private static PlainCost table(int rows) {
    return new PlainCost() {
      @Override
      public boolean isQuicklyAsked(RowRange range) {
        return true;
      }

      @Override
      public OptionalDouble cells(RowRange range) {
        return OptionalDouble.of(
            Math.min(rows, range.stop().length == 0 ? rows : numberOf(range.stop())));
      }
    };
  }

  private static Weighing weighing(Predicate p, String hint, Long limit, PlainCost plain) {
    long most = limit == null ? EntryQuery.ALL : limit;
    return new Weighing(
        new EntryQuery(bind(p), SCHEMA, hint, RowRanges.ALL, most, 5_000), COSTS, plain);
  }

  @ParameterizedTest
  @CsvSource({"2900, auto, true", "3000, auto, false", "2900, v, false", "2900, index, false"})
  void smallTablesAreScanned(int rows, String hint, boolean small) throws IOException {
    assertThat(weighing(ONE, hint, null, table(rows)).isTooSmall()).isEqualTo(small);
    assertThat(weighing(ONE, hint, null, PlainCost.UNKNOWN).isTooSmall()).isFalse();
  }

  /** 100 rows behind as many entries, every tenth row; a Get costs 200 cells. */
  @ParameterizedTest
  @CsvSource({
    "20000,   , true",
    "19999,   , false",
    "19999, 10, false",
    "19999, 99, false",
  })
  void fewRowsAreReadOneByOne(int cells, Long limit, boolean worth) throws IOException {
    assertThat(weighing(ONE, "auto", limit, table(cells)).isWorth(rows(100, 10))).isEqualTo(worth);
    assertThat(weighing(ONE, "v", limit, table(cells)).isWorth(rows(100, 10))).isTrue();
    assertThat(weighing(ONE, "auto", limit, table(1)).isWorth(rows(32, 10))).isTrue();
    assertThat(weighing(ONE, "auto", limit, PlainCost.UNKNOWN).isWorth(rows(100, 10))).isTrue();
  }

  /** The scan finds ten rows at the tenth of the rows found, but for other columns. */
  @Test
  void aLimitEndsTheScanEarlier() throws IOException {
    PlainCost large = table(1_000_000);
    assertThat(weighing(ONE, "auto", 10L, large).isWorth(rows(100, 10))).isFalse();
    assertThat(weighing(ONE, "auto", 10L, large).isWorth(rows(100, 1_000))).isTrue();
    assertThat(weighing(TWO, "auto", 10L, large).isWorth(rows(100, 10))).isTrue();
    assertThat(weighing(ONE, "auto", 101L, large).isWorth(rows(100, 10))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "21000,   ,   1, 100",
    "1000000, ,   1, 4761",
    "2000000, ,   1, 5000",
    "1000000, 10, 1, 0",
    "1000000, 10, 1000, 700",
  })
  void soManyEntriesCostAsMuchAsTheScan(int cells, Long limit, int step, long budget)
      throws IOException {
    assertThat(weighing(ONE, "auto", limit, table(cells)).budget(rows(200, step)))
        .isEqualTo(budget);
    assertThat(weighing(ONE, "v", limit, table(cells)).budget(rows(200, step))).isEqualTo(5_000);
    assertThat(weighing(ONE, "auto", limit, PlainCost.UNKNOWN).budget(rows(200, step)))
        .isEqualTo(5_000);
  }

  @Test
  void costsAreSettings() {
    Configuration conf = new Configuration(false);
    assertThat(EntryCosts.of(conf)).isEqualTo(EntryCosts.DEFAULT);
    Map.of("cell", "1", "entry", "2", "get", "3.5", "call", "0")
        .forEach((name, nanos) -> conf.set(EntryCosts.PREFIX + name, nanos));
    assertThat(EntryCosts.of(conf)).isEqualTo(new EntryCosts(1, 2, 3.5, 0));
    for (String wrong : List.of("-1", "many", "Infinity", "NaN")) {
      conf.set("spyhop.cost.get", wrong);
      assertThat(EntryCosts.of(conf).get()).as(wrong).isEqualTo(EntryCosts.DEFAULT.get());
    }
  }
}
