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

  private static void keep(KnownMatches.InFiles in, int block, long[] driven, long[] found) {
    in.put(block, driven, found);
    in.end();
  }

  private static long[] rows(int every) {
    long[] rows = RowBits.none(ROWS);
    IntStream.range(0, ROWS).filter(i -> i % every == 0).forEach(i -> RowBits.set(rows, i));
    return rows;
  }

  @Test
  void whatWasFoundIsFoundAgainAsOftenAsAsked() {
    KnownMatches known = new KnownMatches(1 << 20);
    keep(of(known, 1, FILE), 0, rows(2), rows(1_000));
    for (int i = 0; i < 2; i++) {
      KnownMatches.Matches again = of(known, 1, FILE).get(0);
      assertThat(again.driven()).isEqualTo(rows(2));
      assertThat(again.found()).isEqualTo(rows(1_000));
      Arrays.fill(again.driven(), 0);
      Arrays.fill(again.found(), 0);
    }
    long[] mine = rows(2);
    keep(of(known, 1, FILE), 1, mine, mine);
    mine[0] = 0;
    assertThat(of(known, 1, FILE).get(1).found()).isEqualTo(rows(2));
    assertThat(of(known, 1, FILE).get(0).found()).isEqualTo(rows(1_000));
    assertThat(known.found()).isEqualTo(4);
    assertThat(known.missed()).isZero();
  }

  @Test
  void anotherBlockConditionRangeOrFileIsAnother() {
    KnownMatches known = new KnownMatches(1 << 20);
    keep(of(known, 1, FILE, 1), 0, rows(2), rows(4));
    assertThat(of(known, 1, FILE, 1).get(1)).isNull();
    assertThat(of(known, 1, FILE, 1).get(KnownMatches.TOGETHER)).isNull();
    assertThat(of(known, 2, FILE, 1).get(0)).isNull();
    assertThat(of(known, 1, FILE + 1, 1).get(0)).isNull();
    assertThat(of(known, 1, FILE, 0).get(0)).isNull();
    assertThat(of(known, 1, FILE).get(0)).isNull();
    KeyRanges all = KeyRanges.ALL;
    assertThat(of(known, equal(1), all, FILE, 1).get(0)).isNull();
  }

  @Test
  void thereIsRoomForSoManyBytes() {
    KnownMatches known = new KnownMatches(1_000_000);
    KnownMatches.InFiles condition = of(known, 1, FILE);
    for (int block = 0; block < 10_000; block++) {
      condition.put(block, rows(2), rows(2));
    }
    long kept = IntStream.range(0, 10_000).filter(b -> condition.get(b) != null).count();
    assertThat(kept).isBetween(400L, 1_000L);
    KnownMatches.Condition both = known.of(equal(2));
    keep(both.in(KeyRanges.NONE, files -> {}), 0, rows(2), rows(2));
    assertThat(both.in(KeyRanges.ALL, files -> {}).get(0)).isNull();
    assertThat(both.in(KeyRanges.NONE, files -> {}).get(0)).isNotNull();
    KnownMatches none = new KnownMatches(0);
    keep(of(none, 1, FILE), 0, rows(2), rows(2));
    assertThat(of(none, 1, FILE).get(0)).isNull();
  }
}
