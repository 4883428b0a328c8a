package io.spyhop.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.prune.Pruner;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class CompactSummaryTest {
  private static final int COLUMNS = 10;
  private static final byte[] F = Bytes.toBytes("f");
  private static final List<ColumnName> NAMES =
      IntStream.range(0, COLUMNS).mapToObj(i -> ColumnName.parse("f:c" + i)).toList();
  private static final List<BloomSize> SIZES =
      List.of(
          BloomSize.OFF,
          BloomSize.DEFAULT,
          BloomSize.SIZED_TO_DATA,
          new BloomSize(64),
          new BloomSize(BloomSize.MAX_BITS));

  /** Values of one region, as written, and what is told of them. */
  private static final class Written {
    private final List<List<Long>> values = new ArrayList<>();
    private RegionSummary summary;

    Written(Random random, BloomSize bloom, int inFiles, int inMemstore) {
      TreeMap<ColumnName, ColumnSummary> files = new TreeMap<>();
      TreeMap<ColumnName, ColumnSummary> memstore = new TreeMap<>();
      for (ColumnName name : NAMES) {
        List<Long> of = new ArrayList<>();
        values.add(of);
        files.put(name, source(random, bloom, inFiles, of));
        memstore.put(name, source(random, bloom, inMemstore, of));
      }
      SortedSet<byte[]> occupied = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      occupied.add(F);
      byte[] none = new byte[0];
      summary =
          new RegionSummary(
              "r",
              none,
              none,
              7,
              0,
              "",
              random.nextBoolean(),
              occupied,
              new SourceSummary(random.nextBoolean(), false, files),
              new SourceSummary(false, random.nextBoolean(), memstore));
    }

    private static ColumnSummary source(
        Random random, BloomSize bloom, int count, List<Long> values) {
      if (count == 0) {
        return ColumnSummary.empty(ValueType.LONG, bloom);
      }
      ColumnSummary.Builder b = ColumnSummary.builder(ValueType.LONG, bloom);
      for (int i = 0; i < count; i++) {
        long value = random.nextInt(1_000_000) * 2L;
        values.add(value);
        b.add(Bytes.toBytes(value), 0, Long.BYTES);
      }
      return b.build();
    }

    /** Another value of each column, as the region's log tells it. */
    List<SummaryChange> write(Random random) {
      List<SummaryChange> changes = new ArrayList<>();
      for (int i = 0; i < COLUMNS; i++) {
        long value = random.nextInt(2_000_000) * 2L;
        values.get(i).add(value);
        changes.add(
            SummaryChange.value(NAMES.get(i), ValueType.LONG.codec().operand(value).key().bytes()));
      }
      summary = summary.after(changes);
      return changes;
    }
  }

  private static BoundPredicate bind(Predicate predicate) {
    return Binder.bind(
        predicate,
        new SchemaResolver(
            "t",
            IndexSchema.of(
                NAMES.stream()
                    .map(
                        n ->
                            IndexDefinition.builder(n.qualifierText())
                                .column(n)
                                .type(ValueType.LONG)
                                .build())
                    .toList()),
            List.of("f")));
  }

  private static CompactSummary pack(
      RegionSummary summary, Function<ColumnName, ColumnUse> use, long bytes) {
    return CompactSummary.of(summary, c -> c, use, bytes);
  }

  /** Conditions that are true of no value. */
  private static final List<BoundPredicate> ODD =
      IntStream.range(0, 1_000)
          .mapToObj(i -> bind(Predicates.column("c" + i % COLUMNS).eq(i * 1_999L | 1)))
          .toList();

  private static long passedByUnion(RegionSummary summary) {
    return ODD.stream()
        .filter(p -> Pruner.mightMatch(p, summary.union(), summary.nullsTold()))
        .count();
  }

  private static void assertPassesAll(Written written, CompactSummary packed) {
    for (int i = 0; i < COLUMNS; i++) {
      for (long value : written.values.get(i)) {
        assertThat(packed.mightMatch(bind(Predicates.column("c" + i).eq(value)))).isTrue();
        assertThat(packed.mightMatch(bind(Predicates.column("c" + i).between(value - 1, value))))
            .isTrue();
      }
    }
  }

  /** However little room there is, and whatever is written after it was packed. */
  @Test
  void noValueIsLost() {
    Random random = new Random(35);
    for (int round = 0; round < 60; round++) {
      Written w =
          new Written(random, SIZES.get(round % SIZES.size()), random.nextInt(20), round % 4);
      CompactSummary packed =
          pack(
              w.summary,
              c -> ColumnUse.values()[random.nextInt(3)],
              random.nextInt(10) * (long) random.nextInt(300));
      assertPassesAll(w, packed);
      for (int i = 0; i < 3; i++) {
        packed =
            packed.after(w.write(random), c -> ColumnUse.values()[random.nextInt(3)], i * 300L);
      }
      assertThat(packed.version()).isEqualTo(w.summary.version());
      assertPassesAll(w, packed);
    }
  }

  @Test
  void withRoomNothingIsLostAndLessPassesThanByTheUnion() {
    Random random = new Random(36);
    for (BloomSize bloom : SIZES) {
      Written w = new Written(random, bloom, 100, 3);
      CompactSummary packed = pack(w.summary, c -> ColumnUse.NONE, Long.MAX_VALUE);
      assertThat(packed.isCoarse()).isFalse();
      assertThat(packed.unpacked().memstore()).isEqualTo(w.summary.memstore());
      assertThat(packed.unpacked().files().columns().keySet()).containsExactlyElementsOf(NAMES);
      long passed = ODD.stream().filter(packed::mightMatch).count();
      boolean useless = bloom.bits() == 64;
      assertThat(passed).isLessThanOrEqualTo(useless ? ODD.size() : passedByUnion(w.summary));
    }
  }

  @Test
  void whatQueriesUseIsKeptLongest() {
    Written w = new Written(new Random(37), BloomSize.DEFAULT, 50, 0);
    Function<ColumnName, ColumnUse> use =
        c ->
            c.equals(NAMES.get(3))
                ? ColumnUse.POINTS
                : c.equals(NAMES.get(4)) ? ColumnUse.RANGES : ColumnUse.NONE;
    CompactSummary whole = pack(w.summary, use, Long.MAX_VALUE);
    CompactSummary little = pack(w.summary, use, whole.heapSize() - 9 * 100);
    assertThat(little.heapSize()).isLessThanOrEqualTo(whole.heapSize() - 9 * 100);
    assertThat(little.isCoarse()).isTrue();
    assertThat(little.isCoarserThanUsed()).isFalse();
    assertThat(little.wholeSize()).isEqualTo(whole.heapSize());
    SourceSummary kept = little.unpacked().files();
    assertThat(kept.columns().keySet()).containsExactlyElementsOf(NAMES);
    assertThat(kept.columns().get(NAMES.get(3)).bloom()).isNotNull();
    CompactSummary least = pack(w.summary, use, 0);
    assertThat(least.isCoarserThanUsed()).isTrue();
    assertThat(least.unpacked().files().columns().keySet())
        .containsExactly(NAMES.get(3), NAMES.get(4));
  }

  /** Once something is left out, it stays so until all is told again. */
  @Test
  void changesDoNotMakeItWhole() {
    Random random = new Random(38);
    Written w = new Written(random, BloomSize.DEFAULT, 50, 0);
    CompactSummary little = pack(w.summary, c -> ColumnUse.NONE, 0);
    CompactSummary after = little.after(w.write(random), c -> ColumnUse.NONE, Long.MAX_VALUE);
    assertThat(after.isCoarse()).isTrue();
    assertThat(little.after(List.of(), c -> ColumnUse.NONE, 0)).isSameAs(little);
  }
}
