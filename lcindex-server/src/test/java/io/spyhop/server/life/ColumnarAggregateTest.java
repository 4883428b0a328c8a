package io.spyhop.server.life;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Aggregate;
import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Aggregates of rows of which columnar files tell all that is asked. */
class ColumnarAggregateTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final int ROWS = 30_000;
  private static final Query CHEAP = Query.where("price > 100 AND price <= 400");
  private static final String[] NAMES = {"name"};

  private static IndexedTableFixture table() throws IOException {
    return new IndexedTableFixture(CLUSTER, Layout.COLUMNAR, family -> family);
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("row%05d".formatted(i));
  }

  private static void write(IndexedTableFixture t, int from, int step, String name)
      throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < ROWS; i += step) {
      puts.add(
          new Put(row(i))
              .addColumn(F, q("price"), Bytes.toBytes(i % 1000 + 0.1))
              .addColumn(F, q("name"), Bytes.toBytes(name + i % 7)));
    }
    t.table().put(puts);
  }

  private static List<String> ask(IndexedTableFixture t, Query query, String[] groupBy)
      throws IOException {
    Aggregation all =
        Aggregation.of(
                Aggregate.count(),
                Aggregate.sum("price"),
                Aggregate.min("name"),
                Aggregate.countDistinct("price"))
            .groupBy(groupBy);
    return ask(t, query, all);
  }

  private static List<String> ask(IndexedTableFixture t, Query query, Aggregation all)
      throws IOException {
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      IndexedTable of = spyhop.table(t.name());
      AggregateResult answer = of.aggregate(query, all);
      return answer.groups().stream().map(g -> g.key() + " " + g.values()).toList();
    }
  }

  private static long columnarRows() {
    return CLUSTER.sum(m -> m.columnarRows);
  }

  /**
   * Asks by the index and by a scan.
   *
   * @return how many rows were not read
   */
  private static long requireSame(IndexedTableFixture t, Query query, String... groupBy)
      throws IOException {
    long before = columnarRows();
    assertThat(ask(t, query, groupBy)).isEqualTo(ask(t, query.hint(Attributes.PATH_SCAN), groupBy));
    return columnarRows() - before;
  }

  @Test
  void certainRowsAreNotRead() throws IOException {
    try (IndexedTableFixture t = table()) {
      write(t, 0, 1, "n");
      t.flushAndIndex();
      assertThat(requireSame(t, CHEAP)).isEqualTo(9_000);
      assertThat(requireSame(t, CHEAP, NAMES)).isEqualTo(9_000);
      assertThat(requireSame(t, CHEAP.range(row(200), row(29_300)), NAMES))
          .as("but for the blocks at either end")
          .isBetween(6_000L, 9_000L);
      write(t, 5, 100, "m");
      t.table().delete(new Delete(row(201)));
      assertThat(requireSame(t, CHEAP, NAMES)).as("memstore").isEqualTo(9_000 - 90 - 1);
      t.flushAndIndex();
      assertThat(requireSame(t, CHEAP, NAMES)).as("two HFiles").isEqualTo(9_000 - 90 - 1);
      Query named = Query.where("price > 100 AND price <= 400 AND name != 'n3'");
      assertThat(requireSame(t, named)).isBetween(7_000L, 9_000L);
    }
  }

  /** Whole rows are counted, whatever other families have of them. */
  @Test
  void rowsOfSeveralFamiliesAreCounted() throws IOException {
    try (IndexedTableFixture t =
        IndexedTableFixture.with(
            CLUSTER,
            d ->
                d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("other")))) {
      write(t, 0, 2, "n");
      t.table().put(new Put(row(202)).addColumn(Bytes.toBytes("other"), q("x"), q("y")));
      t.table().put(new Put(row(203)).addColumn(Bytes.toBytes("other"), q("x"), q("y")));
      t.flushAndIndex();
      requireSame(t, CHEAP, NAMES);
    }
  }

  /** What was taken is forgotten, and all rows are read. */
  @Test
  void tooManyGroupsForTheirMemoryAreReadAsRows() throws IOException {
    try (IndexedTableFixture t = table()) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(
            new Put(row(i))
                .addColumn(F, q("price"), Bytes.toBytes(i / 8.0))
                .addColumn(F, q("name"), Bytes.toBytes("n" + i)));
      }
      t.table().put(puts);
      t.flushAndIndex();
      Query all = Query.where("price >= 0").hint("price");
      assertThat(requireSame(t, all, "price")).isZero();
      // Their memory is used up by whatever part of a block.
      Aggregation counts = Aggregation.of(Aggregate.count()).groupBy("price");
      for (int first = 256; first < 4096; first += 256) {
        Query some = Query.where("price >= " + first / 8.0);
        assertThat(ask(t, some.hint("price"), counts))
            .as("from %d on", first)
            .hasSize(ROWS - first);
      }
    }
  }

  /** Prices of so many digits that the file has several pieces of which each is checked alone. */
  @Test
  void damageBehindTheFirstBlocksLosesNoRowAndCountsNoneTwice() throws IOException {
    try (IndexedTableFixture t = table()) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] price = Bytes.toBytes(i % 1000 + Math.sqrt(i) * 1e-6);
        puts.add(new Put(row(i)).addColumn(F, q("price"), price));
      }
      t.table().put(puts);
      t.flushAndIndex();
      for (Path file : IndexFiles.of(CLUSTER, t.region(), ".ifile")) {
        if (file.getFileName().toString().contains(".price.")) {
          byte[] bytes = Files.readAllBytes(file);
          bytes[bytes.length * 3 / 4] ^= 1;
          Files.write(file, bytes);
        }
      }
      long before = CLUSTER.sum(m -> m.fallbacks(Fallback.DAMAGED));
      assertThat(requireSame(t, CHEAP.hint("price"))).isZero();
      assertThat(CLUSTER.sum(m -> m.fallbacks(Fallback.DAMAGED))).isGreaterThan(before);
    }
  }
}
