package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.column.RowBits;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownMatchesTest {
  private static final int ROWS = 4096;
  private static final IndexSchema SCHEMA =
      IndexSchema.of(
          List.of(
              IndexDefinition.builder("i")
                  .column(ColumnName.parse("f:c"))
                  .type(ValueType.INT)
                  .build()));

  private static final long FILE = 7;

  private static BoundPredicate equal(int value) {
    return Binder.bind(
        Predicates.column("f:c").eq(value), new SchemaResolver("t", SCHEMA, List.of("f")));
  }

  private static KnownMatches.InFiles of(KnownMatches known, int value, long... files) {
    BoundPredicate predicate = equal(value);
    return of(known, predicate, predicate.keyRanges(0), files);
  }

  private static KnownMatches.InFiles of(
      KnownMatches known, BoundPredicate predicate, KeyRanges keys, long... files) {
    return known.of(predicate).in(keys, sink -> Arrays.stream(files).forEach(sink::putLong));
  }

  private static long[] rows(int every) {
    long[] rows = RowBits.none(ROWS);
    IntStream.range(0, ROWS).filter(i -> i % every == 0).forEach(i -> RowBits.set(rows, i));
    return rows;
  }

  @Test
  void whatWasFoundIsFoundAgainAsOftenAsAsked() {
    KnownMatches known = new KnownMatches(1 << 20);
    of(known, 1, FILE).put(0, rows(2), rows(1_000));
    for (int i = 0; i < 2; i++) {
      KnownMatches.Matches again = of(known, 1, FILE).get(0);
      assertThat(again.driven()).isEqualTo(rows(2));
      assertThat(again.found()).isEqualTo(rows(1_000));
      Arrays.fill(again.driven(), 0);
      Arrays.fill(again.found(), 0);
    }
    long[] mine = rows(2);
    of(known, 1, FILE).put(1, mine, mine);
    mine[0] = 0;
    assertThat(of(known, 1, FILE).get(1).found()).isEqualTo(rows(2));
  }

  @Test
  void anotherBlockConditionRangeOrFileIsAnother() {
    KnownMatches known = new KnownMatches(1 << 20);
    of(known, 1, FILE, 1).put(0, rows(2), rows(4));
    assertThat(of(known, 1, FILE, 1).get(1)).isNull();
    assertThat(of(known, 2, FILE, 1).get(0)).isNull();
    assertThat(of(known, 1, FILE + 1, 1).get(0)).isNull();
    assertThat(of(known, 1, FILE, 0).get(0)).isNull();
    assertThat(of(known, 1, FILE).get(0)).isNull();
    KeyRanges all = KeyRanges.ALL;
    assertThat(of(known, equal(1), all, FILE, 1).get(0)).isNull();
  }

  @Test
  void thereIsRoomForSoManyBytes() {
    KnownMatches known = new KnownMatches(100_000);
    KnownMatches.InFiles condition = of(known, 1, FILE);
    for (int block = 0; block < 1_000; block++) {
      condition.put(block, rows(2), rows(2));
    }
    long kept = IntStream.range(0, 1_000).filter(b -> condition.get(b) != null).count();
    assertThat(kept).isBetween(20L, 100L);
    KnownMatches.Condition both = known.of(equal(2));
    both.in(KeyRanges.NONE, files -> {}).put(0, rows(2), rows(2));
    assertThat(both.in(KeyRanges.ALL, files -> {}).get(0)).isNull();
    assertThat(both.in(KeyRanges.NONE, files -> {}).get(0)).isNotNull();
    KnownMatches none = new KnownMatches(0);
    of(none, 1, FILE).put(0, rows(2), rows(2));
    assertThat(of(none, 1, FILE).get(0)).isNull();
  }
}
