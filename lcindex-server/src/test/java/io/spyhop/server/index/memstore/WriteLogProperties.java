package io.spyhop.server.index.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.column.RowHashes;
import io.spyhop.server.memory.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows that logs find, against a list of all writes. */
class WriteLogProperties {
  private static final byte[] F = Bytes.toBytes("f");
  private static final BoundColumn A = new BoundColumn(ColumnName.parse("f:a"), ValueType.LONG);
  private static final BoundColumn B = new BoundColumn(ColumnName.parse("f:b"), ValueType.STRING);
  private static final IndexSchema SCHEMA =
      IndexSchema.of(List.of(definition("a", ValueType.LONG), definition("b", ValueType.STRING)));

  /** A write to one row; of null there is no put, of a text for {@code a} one that is no LONG. */
  record Write(String row, Object a, String b, boolean delete, boolean newLog) {
    List<Cell> cells() {
      List<Cell> cells = new ArrayList<>();
      if (a != null) {
        cells.add(cell("a", a instanceof Long l ? Bytes.toBytes(l) : Bytes.toBytes("" + a)));
      }
      if (b != null) {
        cells.add(cell("b", Bytes.toBytes(b)));
      }
      if (delete) {
        cells.add(new KeyValue(Bytes.toBytes(row), F, null, 1, KeyValue.Type.DeleteFamily));
      }
      return cells;
    }

    private Cell cell(String column, byte[] value) {
      return new KeyValue(Bytes.toBytes(row), F, Bytes.toBytes(column), 1, value);
    }

    boolean isBetween(long least, long most) {
      return a instanceof Long l && l >= least && l <= most;
    }
  }

  private static IndexDefinition definition(String name, ValueType type) {
    return IndexDefinition.builder(name).column("f:" + name).type(type).build();
  }

  private static BoundPredicate bind(Predicate predicate) {
    return Binder.bind(predicate, new SchemaResolver("t", SCHEMA, List.of("f")));
  }

  private static MemstoreIndex log(List<Write> writes) {
    LogMemory memory = new LogMemory(new MemoryBudget(Long.MAX_VALUE), () -> {});
    List<WriteLog> logs = new ArrayList<>();
    for (Write w : writes) {
      if (logs.isEmpty() || w.newLog) {
        logs.add(new WriteLog(List.of(A, B), memory));
      }
      logs.get(logs.size() - 1).write(w.cells(), false);
    }
    return MemstoreIndex.of(logs).orElseThrow();
  }

  @Property(tries = 300)
  void findsRowsWithAValueInRangeAndFewOthers(
      @ForAll("writes") List<Write> writes, @ForAll("values") long x, @ForAll("values") long y)
      throws IOException {
    long least = Math.min(x, y);
    long most = Math.max(x, y);
    BoundPredicate predicate =
        bind(Predicates.column("a").between(least, most).and(Predicates.column("b").eq("bb")));
    KeyRanges keys = predicate.keyRanges(predicate.columnOf(A.name()));
    Set<String> found = new HashSet<>();
    Set<String> might = new HashSet<>();
    log(writes)
        .find(
            A,
            keys,
            predicate,
            (b, off, len, hash, whole) -> {
              found.add(Bytes.toString(b, off, len));
              if (whole) {
                might.add(Bytes.toString(b, off, len));
              }
            });
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            rows(writes, w -> w.isBetween(least, most) || w.a instanceof String));
    Set<String> several =
        rows(writes, w -> w.delete || writes.stream().filter(o -> isOther(o, w)).count() > 1);
    Set<String> whole =
        rows(
            writes,
            w ->
                (w.isBetween(least, most) || w.a instanceof String)
                    && ("bb".equals(w.b) || several.contains(w.row)));
    assertThat(might).containsExactlyInAnyOrderElementsOf(whole);
  }

  /** A write of the same row that has cells. */
  private static boolean isOther(Write o, Write w) {
    return o.row.equals(w.row) && !o.cells().isEmpty();
  }

  private static Set<String> rows(
      List<Write> writes, java.util.function.Predicate<Write> condition) {
    Set<String> rows = new HashSet<>();
    writes.stream().filter(condition).forEach(w -> rows.add(w.row));
    return rows;
  }

  @Property(tries = 100)
  void knowsEveryRow(@ForAll("writes") List<Write> writes) {
    MemstoreIndex index = log(writes);
    for (Write w : writes) {
      byte[] row = Bytes.toBytes(w.row);
      assertThat(index.mayContain(row, 0, row.length))
          .isEqualTo(!w.cells().isEmpty() || any(w, writes));
    }
    byte[] other = Bytes.toBytes("another");
    assertThat(index.contains(RowHashes.of(other, 0, other.length))).isFalse();
    assertThat(index.isEmpty()).isEqualTo(writes.stream().allMatch(w -> w.cells().isEmpty()));
  }

  private static boolean any(Write w, List<Write> writes) {
    return writes.stream().anyMatch(o -> isOther(o, w));
  }

  @Provide
  Arbitrary<Long> values() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(-3, 300),
        Arbitraries.of(Long.MIN_VALUE, Long.MIN_VALUE + 3, Long.MAX_VALUE - 1, Long.MAX_VALUE));
  }

  @Provide
  Arbitrary<List<Write>> writes() {
    Arbitrary<String> rows = Arbitraries.integers().between(0, 300).map(i -> "r" + "x".repeat(i));
    Arbitrary<Object> a = Arbitraries.oneOf(values().map(v -> v), Arbitraries.just("none"));
    Arbitrary<String> b = Arbitraries.of("aa", "bb", "cc");
    Arbitrary<Boolean> rarely = Arbitraries.frequency(Tuple.of(1, true), Tuple.of(20, false));
    return Combinators.combine(rows, a.injectNull(0.2), b.injectNull(0.2), rarely, rarely)
        .as(Write::new)
        .list()
        .ofMaxSize(300);
  }
}
