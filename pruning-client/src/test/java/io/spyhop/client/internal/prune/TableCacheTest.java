package io.spyhop.client.internal.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.ColumnUse;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.core.value.ValueType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Regions of two columns whose share of memory has room for one filter. */
class TableCacheTest {
  private static final byte[] START = {};
  private static final int REGIONS = 50;
  private static final ColumnName A = ColumnName.parse("d:a");
  private static final ColumnName B = ColumnName.parse("d:b");

  /** A filter takes 128 bytes. */
  private static final long SHARE =
      new StatisticsCache(0, () -> 1)
          .bytesFor(
              CompactSummary.of(summary(), c -> c, c -> ColumnUse.POINTS, Long.MAX_VALUE).heapSize()
                  - 100);

  private final StatisticsCache regions = new StatisticsCache(SHARE * REGIONS, () -> REGIONS);
  private final TableCache cache = new TableCache(TableName.valueOf("t"), regions);

  private static BoundPredicate bind(Predicate predicate) {
    return Binder.bind(
        predicate,
        new SchemaResolver(
            "t",
            IndexSchema.of(
                List.of(
                    IndexDefinition.builder("a").column(A).type(ValueType.LONG).build(),
                    IndexDefinition.builder("b").column(B).type(ValueType.LONG).build())),
            List.of("d")));
  }

  private static final BoundPredicate A7 = bind(Predicates.column("a").eq(7));
  private static final BoundPredicate B7 = bind(Predicates.column("b").eq(7));

  /** Even values of both columns. */
  private static RegionSummary summary() {
    ColumnSummary.Builder values = ColumnSummary.builder(ValueType.LONG, BloomSize.DEFAULT);
    for (long i = 0; i < 100; i++) {
      values.add(Bytes.toBytes(2 * i), 0, Long.BYTES);
    }
    ColumnSummary none = ColumnSummary.empty(ValueType.LONG, BloomSize.DEFAULT);
    return new RegionSummary(
        "region",
        START,
        START,
        35,
        0,
        "",
        true,
        Collections.emptySortedSet(),
        source(values.build()),
        source(none));
  }

  private static SourceSummary source(ColumnSummary both) {
    SortedMap<ColumnName, ColumnSummary> columns = new TreeMap<>();
    columns.put(A, both);
    columns.put(B, both);
    return new SourceSummary(false, false, columns);
  }

  private Optional<Known> known() {
    return cache.get(START);
  }

  private void tell(SummaryAnswer answer) {
    cache.take(START, answer, known(), known().map(k -> k.round() + 1).orElse(1L), 0);
  }

  private boolean mightMatch(BoundPredicate predicate) {
    return known().get().summary().mightMatch(predicate);
  }

  /** What a query uses is kept; when another begins to use more, that is asked for once. */
  @Test
  void whatQueriesBeginToUseIsAskedForOnce() {
    assertThat(cache.request(known())).isEqualTo(SummaryRequest.first());
    cache.uses().note(A7);
    tell(SummaryAnswer.whole(summary()));
    assertThat(mightMatch(A7)).isFalse();
    assertThat(mightMatch(B7)).isTrue();
    assertThat(known().get().summary().isCoarserThanUsed()).isFalse();
    cache.uses().note(A7);
    assertThat(cache.request(known())).isEqualTo(new SummaryRequest(35, 0));
    cache.uses().note(B7);
    assertThat(cache.request(known())).isEqualTo(SummaryRequest.first());
    tell(SummaryAnswer.whole(summary()));
    assertThat(known().get().summary().isCoarserThanUsed()).isTrue();
    assertThat(cache.request(known())).isEqualTo(new SummaryRequest(35, 0));
  }

  /** Changes do not hide that something was left out before. */
  @Test
  void whatWasLeftOutIsAskedForAfterChanges() {
    cache.uses().note(A7);
    tell(SummaryAnswer.whole(summary()));
    byte[] key = ValueType.LONG.codec().operand(7).key().bytes();
    tell(SummaryAnswer.changes(35, 0, List.of(SummaryChange.value(A, key))));
    assertThat(mightMatch(A7)).isTrue();
    assertThat(cache.request(known())).isEqualTo(new SummaryRequest(35, 1));
    cache.uses().note(B7);
    assertThat(cache.request(known())).isEqualTo(SummaryRequest.first());
  }

  @Test
  void changesThatDoNotFollowAreNoAnswer() {
    tell(SummaryAnswer.whole(summary()));
    SummaryAnswer other = SummaryAnswer.changes(35, 4, List.of());
    assertThat(cache.take(START, other, known(), 9, 0)).isEmpty();
    assertThat(cache.take(START, other, Optional.empty(), 9, 0)).isEmpty();
  }

  @Test
  void allRegionsHaveRoomHoweverLargeTheyAre() {
    for (int i = 0; i < REGIONS; i++) {
      byte[] start = Bytes.toBytes(i);
      cache.take(start, SummaryAnswer.whole(summary()), Optional.empty(), 1, 0);
    }
    assertThat(cache.all()).hasSize(REGIONS);
    assertThat(regions.bytes()).isLessThanOrEqualTo(SHARE * REGIONS);
  }
}
