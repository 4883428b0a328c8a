package io.spyhop.core.prune;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
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
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PrunerTest {
  private static final ColumnName A = ColumnName.parse("f:a");
  private static final ColumnName B = ColumnName.parse("f:b");
  private static final byte[] F = Bytes.toBytes("f");
  private static final SchemaResolver RESOLVER =
      new SchemaResolver(
          "t",
          IndexSchema.of(
              List.of(
                  IndexDefinition.builder("a").column(A).type(ValueType.LONG).build(),
                  IndexDefinition.builder("b").column(B).type(ValueType.LONG).build())),
          List.of("f"));

  private static ColumnSummary values(long... values) {
    ColumnSummary.Builder b = ColumnSummary.builder(ValueType.LONG, BloomSize.DEFAULT);
    for (long v : values) {
      b.add(Bytes.toBytes(v), 0, 8);
    }
    return b.build();
  }

  private static SourceSummary source(ColumnSummary a, ColumnSummary b) {
    SortedMap<ColumnName, ColumnSummary> columns = new TreeMap<>();
    columns.put(A, a);
    columns.put(B, b);
    return new SourceSummary(false, false, columns);
  }

  static RegionSummary region(SourceSummary files, SourceSummary memstore, boolean occupied) {
    SortedSet<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    if (occupied) {
      families.add(F);
    }
    byte[] none = new byte[0];
    return new RegionSummary("r", none, none, 7, 0, "", true, families, files, memstore);
  }

  private static CompactSummary packed(RegionSummary summary) {
    return CompactSummary.of(summary, c -> c, c -> ColumnUse.POINTS, Long.MAX_VALUE);
  }

  private static ScanState decide(Predicate p, RegionSummary summary) {
    BoundPredicate bound = Binder.bind(p, RESOLVER);
    return Pruner.decide(bound, List.of(F), packed(summary)).state();
  }

  private static ScanState decide(Predicate p, SourceSummary files, SourceSummary memstore) {
    return decide(p, region(files, memstore, true));
  }

  @Test
  void tableOneOfThePaper() {
    SourceSummary none = source(values(), values());
    SourceSummary five = source(values(5), values(1));
    SourceSummary seven = source(values(7), values(1));
    Predicate p = column("a").eq(5);
    assertThat(decide(p, region(five, none, false))).isEqualTo(ScanState.RS);
    assertThat(decide(p, region(seven, none, false))).isEqualTo(ScanState.NR);
    assertThat(decide(p, five, seven)).isEqualTo(ScanState.RSM);
    assertThat(decide(p, seven, seven)).isEqualTo(ScanState.NR);
    assertThat(decide(p, five, five)).isEqualTo(ScanState.RSM);
    assertThat(decide(p, seven, five)).isEqualTo(ScanState.RSM);
  }

  /** Rule 18: the paper's case (4) asks each source alone, finds that neither can match. */
  @Test
  void aRowMayMatchWithOneColumnFromEachSource() {
    SourceSummary files = source(values(5), values(0));
    SourceSummary memstore = source(values(), values(1));
    Predicate p = column("a").eq(5).and(column("b").eq(1));
    BoundPredicate bound = Binder.bind(p, RESOLVER);
    assertThat(Pruner.mightMatch(bound, files, true)).isFalse();
    assertThat(Pruner.mightMatch(bound, memstore, true)).isFalse();
    assertThat(decide(p, files, memstore)).isEqualTo(ScanState.RSM);
  }

  @Test
  void andOrNotInAndRanges() {
    SourceSummary files = source(values(10, 20), values(1));
    SourceSummary none = source(values(), values());
    Predicate a15 = column("a").eq(15);
    Predicate b1 = column("b").eq(1);
    assertThat(decide(a15.and(b1), files, none)).isEqualTo(ScanState.NR);
    assertThat(decide(a15.or(b1), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(a15.not(), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("b").eq(1).not(), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("a").in(1, 15, 30), files, none)).isEqualTo(ScanState.NR);
    assertThat(decide(column("a").in(1, 20, 30), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("a").between(11, 19), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("a").gt(20), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("a").gt(21), files, none)).isEqualTo(ScanState.NR);
    assertThat(decide(column("a").between(10, 20).not(), files, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("a").between(9, 21).not(), files, none)).isEqualTo(ScanState.NR);
  }

  /** Rule 20: a delete marker, a TTL, or a cell TTL makes nulls that no statistic shows. */
  @Test
  void isNullPrunesOnlyWhereNothingHidesCells() {
    SourceSummary files = source(values(10), values(1));
    Predicate p = column("a").isNull();
    SourceSummary none = source(values(), values());
    assertThat(decide(p, files, none)).isEqualTo(ScanState.NR);
    assertThat(decide(column("a").isNotNull().not(), files, none)).isEqualTo(ScanState.NR);
    for (SummaryChange change :
        List.of(
            SummaryChange.of(SummaryChange.Kind.DELETE),
            SummaryChange.of(SummaryChange.Kind.CELL_TTL),
            SummaryChange.of(SummaryChange.Kind.ABSENT, A))) {
      assertThat(decide(p, files, change.applyTo(none))).isEqualTo(ScanState.RSM);
      assertThat(decide(p, change.applyTo(files), none)).isEqualTo(ScanState.RSM);
    }
    RegionSummary r = region(files, none, false);
    RegionSummary ttl =
        new RegionSummary(
            r.region(), r.startKey(), r.endKey(), 7, 0, "", false, r.occupied(), files, none);
    assertThat(decide(p, ttl)).isEqualTo(ScanState.RS);
  }

  @Test
  void whatDoesNotDecodeIsNotNull() {
    ColumnSummary.Builder b = ColumnSummary.builder(ValueType.LONG, BloomSize.OFF);
    b.add(new byte[3], 0, 3);
    SourceSummary files = source(b.build(), values(1));
    SourceSummary none = source(values(), values());
    assertThat(decide(column("a").eq(3), files, none)).isEqualTo(ScanState.NR);
    assertThat(decide(column("a").isNotNull(), files, none)).isEqualTo(ScanState.RSM);
  }

  @Test
  void unknownColumnsAndTypesAreAsked() {
    SourceSummary none = source(values(), values());
    SortedMap<ColumnName, ColumnSummary> one = new TreeMap<>();
    one.put(A, values(5));
    SourceSummary onlyA = new SourceSummary(false, false, one);
    assertThat(decide(column("b").eq(9), onlyA, none)).isEqualTo(ScanState.RSM);
    assertThat(decide(column("a").eq(9).and(column("b").eq(9)), onlyA, none))
        .isEqualTo(ScanState.NR);
    one.put(A, ColumnSummary.empty(ValueType.INT, BloomSize.OFF));
    SourceSummary other = new SourceSummary(false, false, one);
    assertThat(decide(column("a").eq(9), other, other)).isEqualTo(ScanState.RSM);
    RegionSummary unknown =
        RegionSummary.unknown("r", new byte[0], new byte[0], 3, "its files are not read yet");
    assertThat(Pruner.decide(Binder.bind(column("a").eq(9), RESOLVER), List.of(F), packed(unknown)))
        .isEqualTo(new Decision(ScanState.RSM, "not known: its files are not read yet"));
  }

  /** Whatever the order of writes, the log says what the whole says. */
  @Test
  void answersGoOverTheWireAndAddUp() throws Exception {
    RegionSummary start = region(source(values(1), values(1)), source(values(), values()), false);
    SummaryAnswer whole = SummaryAnswer.decode(SummaryAnswer.whole(start).encode());
    assertThat(whole.whole()).contains(start);
    List<SummaryChange> log =
        List.of(
            SummaryChange.occupied(F),
            SummaryChange.value(A, ValueType.LONG.codec().operand(9).key().bytes()),
            SummaryChange.of(SummaryChange.Kind.UNDECODABLE, B),
            SummaryChange.of(SummaryChange.Kind.UNKEYABLE, B),
            SummaryChange.of(SummaryChange.Kind.ABSENT, A),
            SummaryChange.of(SummaryChange.Kind.DELETE),
            SummaryChange.of(SummaryChange.Kind.CELL_TTL));
    SummaryAnswer answer = SummaryAnswer.decode(SummaryAnswer.changes(7, 0, log).encode());
    assertThat(answer.changes()).isEqualTo(log);
    assertThat(answer.follows(start.epoch(), start.version())).isTrue();
    RegionSummary after = start.after(answer.changes());
    assertThat(after.version()).isEqualTo(7);
    assertThat(after.memstore().deletes()).isTrue();
    assertThat(after.memstore().cellTtl()).isTrue();
    assertThat(after.isMemstoreEmpty(List.of(F))).isFalse();
    assertThat(after.memstore().columns().get(A)).isEqualTo(values(9).union(values().withAbsent()));
    assertThat(after.memstore().columns().get(B).hasUnkeyable()).isTrue();
    assertThat(answer.follows(8, 0)).isFalse();
    assertThat(answer.follows(7, 7)).isFalse();
    SummaryRequest request = new SummaryRequest(7, 7);
    assertThat(SummaryRequest.decode(request.encode())).isEqualTo(request);
  }

  @Test
  void coversOnlyItsOwnRows() {
    byte[] b = Bytes.toBytes("b");
    byte[] c = Bytes.toBytes("c");
    byte[] none = new byte[0];
    RegionSummary r = RegionSummary.unknown("r", b, c, 1, "x");
    assertThat(r.covers(b, c)).isTrue();
    assertThat(r.covers(Bytes.toBytes("a"), c)).isFalse();
    assertThat(r.covers(b, Bytes.toBytes("d"))).isFalse();
    assertThat(r.covers(b, none)).isFalse();
    assertThat(RegionSummary.unknown("r", none, none, 1, "x").covers(none, none)).isTrue();
  }
}
