package io.spyhop.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.prune.Pruner;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.Histogram;
import io.spyhop.core.stats.HistogramBuilder;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.util.Bytes;

/** Narrowing never loses a value that matches. */
class PredicateProperties {
  /** How deep predicates are nested at the most. */
  private static final int DEPTH = 4;

  private static final ColumnName A = ColumnName.parse("f:a");

  @Provide
  Arbitrary<Predicate> predicates() {
    Arbitrary<Integer> n = Arbitraries.integers().between(-4, 4);
    Predicates.ColumnExpression a = Predicates.column("a");
    Arbitrary<Predicate> leaf =
        Arbitraries.oneOf(
            n.map(a::eq),
            n.map(a::ne),
            n.map(a::lt),
            n.map(a::le),
            n.map(a::gt),
            n.map(a::ge),
            n.flatMap(x -> n.map(y -> a.between(x, y))),
            n.flatMap(x -> n.map(y -> a.in(x, y))));
    return nested(leaf, DEPTH);
  }

  private static Arbitrary<Predicate> nested(Arbitrary<Predicate> leaf, int depth) {
    if (depth == 0) {
      return leaf;
    }
    Arbitrary<Predicate> inner = nested(leaf, depth - 1);
    return Arbitraries.oneOf(
        leaf,
        inner.flatMap(p -> inner.map(p::and)),
        inner.flatMap(p -> inner.map(p::or)),
        inner.map(Predicate::not));
  }

  @Provide
  Arbitrary<KeyRanges> keyRanges() {
    Arbitrary<ValueKey> bound = Arbitraries.longs().between(0, 20).map(PredicateProperties::key);
    Arbitrary<KeyRanges> one =
        bound
            .injectNull(0.1)
            .flatMap(low -> bound.injectNull(0.1).map(high -> KeyRanges.of(low, high)));
    return one.list().ofMaxSize(6).map(KeyRanges::unionOf);
  }

  private static boolean has(KeyRanges ranges, long value) {
    return ranges.overlaps(key(value).bytes(), key(value).bytes());
  }

  @Property
  void rangesAreSets(@ForAll("keyRanges") KeyRanges a, @ForAll("keyRanges") KeyRanges b) {
    for (KeyRanges both : List.of(a.union(b), a.intersect(b))) {
      for (int i = 1; i < both.ranges().size(); i++) {
        KeyRange earlier = both.ranges().get(i - 1);
        assertThat(earlier.upper()).isLessThan(both.ranges().get(i).lower());
      }
    }
    for (long v = -1; v <= 21; v++) {
      long value = v;
      boolean inA =
          a.ranges().stream()
              .anyMatch(
                  r ->
                      (r.lower() == null || r.lower().compareTo(key(value)) <= 0)
                          && (r.upper() == null || r.upper().compareTo(key(value)) >= 0));
      assertThat(has(a, v)).isEqualTo(inA);
      assertThat(has(a.union(b), v)).isEqualTo(has(a, v) || has(b, v));
      assertThat(has(a.intersect(b), v)).isEqualTo(has(a, v) && has(b, v));
    }
  }

  @Property
  void rangesThatOverlap(
      @ForAll("keyRanges") KeyRanges a,
      @ForAll @LongRange(min = -1, max = 21) long min,
      @ForAll @LongRange(min = 0, max = 22) long length) {
    byte[] from = key(min).bytes();
    byte[] to = key(min + length).bytes();
    List<KeyRange> some =
        a.ranges().stream().filter(r -> KeyRanges.of(r).overlaps(from, to)).toList();
    assertThat(a.overlapping(from, to)).isEqualTo(some);
    assertThat(a.overlaps(from, to)).isEqualTo(!some.isEmpty());
  }

  @Property
  void matchingValuesLieInTheKeyRanges(@ForAll("predicates") Predicate p, @ForAll byte v) {
    BoundPredicate bound = Binder.bind(p, PredicateCasesTest.RESOLVER);
    byte[] stored = Bytes.toBytes((long) (v % 6));
    RowJudge judge = bound.judge();
    judge.reset();
    judge.offer(0, stored, 0, stored.length);
    if (judge.matches() && bound.canDrive(0)) {
      ValueKey key = ValueType.LONG.codec().key(stored, 0, stored.length);
      assertThat(contains(bound.keyRanges(0), key)).isTrue();
    }
  }

  @Property
  void statisticsNeverRuleOutAMatchingValue(
      @ForAll("predicates") Predicate p, @ForAll @Size(min = 1, max = 20) List<Byte> values) {
    BoundPredicate bound = Binder.bind(p, PredicateCasesTest.RESOLVER);
    SourceSummary all = new SourceSummary(false, false, new TreeMap<>(Map.of(A, summary(values))));
    for (byte v : values) {
      byte[] stored = Bytes.toBytes((long) (v % 6));
      RowJudge judge = bound.judge();
      judge.reset();
      judge.offer(0, stored, 0, stored.length);
      if (judge.matches()) {
        assertThat(Pruner.mightMatch(bound, all, true)).isTrue();
      }
    }
  }

  @Property
  void countsLieBetween(
      @ForAll("predicates") Predicate p, @ForAll @Size(min = 1, max = 50) List<Byte> values) {
    BoundPredicate bound = Binder.bind(p, PredicateCasesTest.RESOLVER);
    KeyRanges ranges = bound.keyRanges(0);
    long inRange = values.stream().map(v -> key(v % 6)).filter(k -> contains(ranges, k)).count();
    ColumnStatistics s = statistics(values);
    long least = 0;
    long most = 0;
    for (KeyRange r : ranges.ranges()) {
      least += s.between(r).least();
      most += s.between(r).most();
    }
    assertThat(inRange).isBetween(least, most);
    assertThat(most).isLessThanOrEqualTo(s.counts().entries() * ranges.ranges().size());
  }

  private static boolean contains(KeyRanges ranges, ValueKey key) {
    for (KeyRange r : ranges.ranges()) {
      if ((r.lower() == null || r.lower().compareTo(key) <= 0)
          && (r.upper() == null || r.upper().compareTo(key) >= 0)) {
        return true;
      }
    }
    return false;
  }

  private static ValueKey key(long v) {
    byte[] stored = Bytes.toBytes(v);
    return ValueType.LONG.codec().key(stored, 0, stored.length);
  }

  private static ColumnSummary summary(List<Byte> values) {
    ColumnSummary.Builder b = ColumnSummary.builder(ValueType.LONG, BloomSize.DEFAULT);
    values.forEach(v -> b.add(Bytes.toBytes((long) (v % 6)), 0, Long.BYTES));
    return b.build();
  }

  private static ColumnStatistics statistics(List<Byte> values) {
    IndexDefinition d =
        IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).flags(5).build();
    ColumnStatistics.Builder s = ColumnStatistics.builder();
    HistogramBuilder h = HistogramBuilder.of(d, values.size());
    values.stream()
        .map(v -> key(v % 6))
        .sorted()
        .forEach(
            k -> {
              s.row(true);
              s.entry(false);
              s.key(k.bytes(), 0, k.bytes().length);
              h.add(k.bytes(), 0, k.bytes().length);
            });
    Histogram histogram = h.build();
    s.histogram(histogram);
    return s.build();
  }
}
