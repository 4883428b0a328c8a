package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that one source without an index holds whole are decided as they are seen. */
class MemstoreRowsTest {
  private static final Predicate CHEAP = column("price").between(1.0, 10.0);

  /** How many rows an index query reads again; its answer is the scan's. */
  private static long rereads(IndexedTableFixture t, Predicate where) throws IOException {
    t.agreed(where);
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      RegionPlan plan =
          spyhop
              .table(t.name())
              .explainAnalyze(Query.where(where).hint(Attributes.PATH_INDEX))
              .regions()
              .get(0);
      assertThat(plan.path()).isEqualTo(RegionPlan.Path.LOCAL_INDEX);
      return plan.actual().orElseThrow().rereads();
    }
  }

  private static void row(IndexedTableFixture t, String row, double price, String name)
      throws IOException {
    t.table()
        .put(
            new Put(Bytes.toBytes(row))
                .addColumn(F, q("price"), Bytes.toBytes(price))
                .addColumn(F, q("name"), Bytes.toBytes(name)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void newRowsAreDecided(boolean inFileWithoutIndex) throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      row(t, "m", 5, "flushed");
      t.flushAndIndex();
      for (int i = 0; i < 20; i++) {
        row(t, "r" + i, i, i % 2 == 0 ? "even" : "odd");
      }
      if (inFileWithoutIndex) {
        Regions.flush(TestCluster.get(), t.name());
      }
      assertThat(t.agreed(CHEAP)).hasSize(11);
      assertThat(rereads(t, CHEAP)).isZero();
      assertThat(t.agreed(CHEAP.and(column("name").eq("even")))).hasSize(5);
      assertThat(rereads(t, CHEAP.and(column("name").eq("even")))).isZero();
    }
  }

  @Test
  void rowsThatHaveMoreThanOnePutOfEachColumnAreReadAgain() throws IOException {
    try (IndexedTableFixture t = IndexedTableFixture.clustering()) {
      for (String r : new String[] {"flushed", "gone", "half"}) {
        row(t, r, 5, "old");
      }
      t.flushAndIndex();
      row(t, "flushed", 6, "new");
      row(t, "new", 6, "new");
      row(t, "twice", 5, "old");
      row(t, "twice", 50, "new");
      row(t, "deleted", 5, "old");
      t.table().delete(new Delete(Bytes.toBytes("deleted")));
      t.table().delete(new Delete(Bytes.toBytes("gone")));
      t.put("half", "name", Bytes.toBytes("new"));
      Put timed = new Put(Bytes.toBytes("ttl")).addColumn(F, q("price"), Bytes.toBytes(7.0));
      t.table().put(timed.setTTL(3_600_000));
      assertThat(t.agreed(CHEAP)).containsExactly("flushed", "half", "new", "ttl");
      assertThat(rereads(t, CHEAP))
          .as("flushed, in two sources; twice; deleted; gone and half, by their records; ttl")
          .isEqualTo(6);
    }
  }

  /** What one row may hold in memory while it is looked at is bounded. */
  @Test
  void wideRowsAreReadAgain() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      Put wide = new Put(Bytes.toBytes("wide")).addColumn(F, q("price"), Bytes.toBytes(7.0));
      for (int i = 0; i < 5_000; i++) {
        wide.addColumn(F, q("c%05d".formatted(i)), Bytes.toBytes(i));
      }
      t.table().put(wide);
      row(t, "x", 5, "narrow");
      assertThat(t.agreed(CHEAP)).containsExactly("wide", "x");
      assertThat(rereads(t, CHEAP)).isEqualTo(1);
      assertThat(t.cells(CHEAP, Attributes.PATH_INDEX)).hasSize(5_003);
    }
  }

  /** Ranges begin and end within rows' neighbours, and columns are selected. */
  @Test
  void selectedColumnsOfSelectedRows() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture();
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      for (String r : new String[] {"a", "b", "c", "d"}) {
        row(t, r, 5, r);
      }
      Query query = Query.where(CHEAP).select("name").range(Bytes.toBytes("b"), Bytes.toBytes("d"));
      assertThat(cells(spyhop, t, query.hint(Attributes.PATH_INDEX)))
          .isEqualTo(cells(spyhop, t, query.hint(Attributes.PATH_SCAN)))
          .hasSize(2);
    }
  }

  private static List<String> cells(Spyhop spyhop, IndexedTableFixture t, Query query)
      throws IOException {
    List<String> cells = new ArrayList<>();
    try (var cursor = spyhop.table(t.name()).query(query)) {
      cursor.forEach(r -> r.listCells().forEach(c -> cells.add(c.toString())));
    }
    return cells;
  }
}
