package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Indexes in the order of rows: right in HFiles of every encoding, and read no more than needed.
 */
class ColumnarTest {
  /** More than two blocks of rows. */
  private static final int ROWS = 9_000;

  /** A tenth of the prices, and of these a tenth of the names. */
  private static final Predicate BOTH =
      column("price").between(100.0, 199.0).and(column("name").eq("n3"));

  private static IndexedTableFixture table(DataBlockEncoding encoding) throws IOException {
    return new IndexedTableFixture(
        TestCluster.get(),
        Layout.COLUMNAR,
        f -> f.setDataBlockEncoding(encoding).setBlocksize(4096));
  }

  private static String row(int i) {
    return String.format("row%05d", i);
  }

  private static void write(IndexedTableFixture t, int from, int step) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < ROWS; i += step) {
      puts.add(
          new Put(Bytes.toBytes(row(i)))
              .addColumn(IndexedTableFixture.F, Bytes.toBytes("name"), Bytes.toBytes("n" + i % 10))
              .addColumn(
                  IndexedTableFixture.F,
                  Bytes.toBytes("price"),
                  Bytes.toBytes((double) (i / 10 % 1000))));
    }
    t.table().put(puts);
  }

  private static RegionPlan.Actual run(IndexedTableFixture t, Predicate predicate)
      throws IOException {
    return Queries.run(t, predicate, "price");
  }

  /** With the server's logs of what was written. */
  private static RegionPlan.Actual runOnServer(IndexedTableFixture t, Predicate predicate)
      throws IOException {
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      return spyhop
          .table(t.name())
          .explainAnalyze(Query.where(predicate).hint("price"))
          .regions()
          .get(0)
          .actual()
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource(DataBlockEncoding.class)
  void readsTheRowsThatMatchAlone(DataBlockEncoding encoding) throws IOException {
    if (encoding.name().equals("COPY_KEY") || encoding.name().equals("PREFIX_TREE")) {
      return;
    }
    try (IndexedTableFixture t = table(encoding)) {
      write(t, 0, 1);
      t.flushAndIndex();
      assertThat(t.agreed(BOTH)).hasSize(100);
      RegionPlan.Actual actual = run(t, BOTH);
      assertThat(actual.fallback()).isEmpty();
      assertThat(actual.records()).isEqualTo(100);
      assertThat(actual.rereads()).isZero();
    }
  }

  /** Two HFiles that overlap, some rows in both, and some in the memstore. */
  @Test
  void rowsOfOneSourceAreToldFromOthers() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 2);
      t.flushAndIndex();
      write(t, 1, 2);
      t.price(row(1_030), 5);
      t.price(row(1_032), 120);
      t.flushAndIndex();
      t.price(row(1_003), 120);
      t.price(row(1_013), 5);
      t.table().delete(new Delete(Bytes.toBytes(row(1_023))));
      assertThat(t.agreed(BOTH)).hasSize(98);
      RegionPlan.Actual actual = run(t, BOTH);
      assertThat(actual.records()).isBetween(98L, 110L);
      assertThat(actual.rereads()).isBetween(1L, 2L);
    }
  }

  /**
   * What writes since the flush changed decides with what HFiles have of the same rows, which are
   * not read again.
   */
  @Test
  void rowsOfMemstoresAreNarrowedByTheColumnsOfHFiles() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 1);
      t.flushAndIndex();
      prices(t, 0, 3, 150, HConstants.LATEST_TIMESTAMP); // into the range, a tenth with that name
      prices(t, 1, 3, 500, HConstants.LATEST_TIMESTAMP); // out of it
      List<Put> names = new ArrayList<>();
      for (int i = 2; i < ROWS; i += 30) {
        names.add(
            new Put(Bytes.toBytes(row(i)))
                .addColumn(IndexedTableFixture.F, Bytes.toBytes("name"), Bytes.toBytes("n3")));
      }
      t.table().put(names);
      // A tenth of 3,000; of the third that kept its price what matched, and as many got the name.
      int matching = 300 + 33 + 33;
      assertThat(t.agreed(BOTH)).hasSize(matching);
      RegionPlan.Actual actual = runOnServer(t, BOTH);
      assertThat(actual.fallback()).isEmpty();
      assertThat(actual.records()).isBetween((long) matching, matching + 60L);
      assertThat(actual.rereads()).isZero();
      // All that the condition asks for was written, and HFiles have the rest.
      Predicate price = column("price").between(100.0, 199.0);
      assertThat(t.agreed(price)).hasSize(3_000 + 333);
      assertThat(runOnServer(t, price).rereads()).isZero();

      prices(t, 0, 60, 700, 1); // older than what is there
      t.table()
          .delete(
              new Delete(Bytes.toBytes(row(3)))
                  .addColumns(IndexedTableFixture.F, Bytes.toBytes("price")));
      assertThat(t.agreed(BOTH)).hasSize(matching - 1);
      assertThat(t.agreed(BOTH.or(column("price").isNull()))).hasSize(matching);
      assertThat(t.agreed(column("price").between(100.0, 199.0).and(column("name").isNull())))
          .isEmpty();
    }
  }

  /** A row that got a column that no condition reads is read again only if it matches. */
  @Test
  void filesWithoutTheColumnsOfTheConditionsDecideNothing() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 1);
      t.flushAndIndex();
      List<Mutation> changes = new ArrayList<>();
      for (int i = 0; i < ROWS; i += 5) {
        changes.add(
            new Put(Bytes.toBytes(row(i + 3)))
                .addColumn(IndexedTableFixture.F, Bytes.toBytes("notes"), new byte[3]));
      }
      changes.add(new Delete(Bytes.toBytes(row(1_003))));
      changes.add(
          new Delete(Bytes.toBytes(row(1_013)))
              .addColumns(IndexedTableFixture.F, Bytes.toBytes("name")));
      t.table().batch(changes, new Object[changes.size()]);
      t.flushAndIndex();
      assertThat(t.agreed(BOTH)).hasSize(98);
      RegionPlan.Actual actual = run(t, BOTH);
      assertThat(actual.records()).isBetween(98L, 105L);
      Predicate unnamed = column("price").between(100.0, 199.0).and(column("name").isNull());
      assertThat(t.agreed(unnamed)).containsExactly(row(1_013));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The newest HFile with a column decides, by its timestamps; the first file is the newest one.
   */
  @Test
  void rowsOfSeveralFilesAreDecidedByTheNewestOfEachColumn() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 1);
      t.flushAndIndex();
      prices(t, 3, 20, 500, HConstants.LATEST_TIMESTAMP); // half of those that matched
      prices(t, 13, 200, 150, HConstants.LATEST_TIMESTAMP); // 45, of which 5 matched
      t.table()
          .delete(
              new Delete(Bytes.toBytes(row(1_033)))
                  .addColumns(IndexedTableFixture.F, Bytes.toBytes("name")));
      t.flushAndIndex();
      assertFinds(t, 49 + 40 + 1);
      prices(t, 3, 40, 151, HConstants.LATEST_TIMESTAMP); // a quarter of all with that name
      t.flushAndIndex();
      assertFinds(t, 49 + 40 + 1 + 225);
      prices(t, 3, 10, 7, 1);
      t.flushAndIndex();
      assertFinds(t, 49 + 40 + 1 + 225);
      prices(t, 33, 400, 152, HConstants.LATEST_TIMESTAMP);
      prices(t, 23, 400, 152, 1);
      t.flushAndIndex();
      assertThat(t.agreed(BOTH)).hasSizeGreaterThan(49 + 40 + 1 + 225);
    }
  }

  /** Each goes through the other file's blocks. */
  @Test
  void severalConditionsOfOneColumnAreJudgedInFilesOfSeveralBlocks() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 1);
      t.flushAndIndex();
      prices(t, 13, 200, 150, HConstants.LATEST_TIMESTAMP);
      t.flushAndIndex();
      Predicate dear = column("price").gt(100.0).and(column("price").lt(199.0));
      assertThat(t.agreed(dear)).hasSizeGreaterThan(800);
      assertThat(run(t, dear).fallback()).isEmpty();
      assertThat(run(t, dear).rereads()).isZero();
    }
  }

  /** A scan that asks for older cells, too, gets those of all files. */
  @Test
  void olderCellsOfSeveralFilesAreHandedOut() throws IOException {
    try (IndexedTableFixture t =
        new IndexedTableFixture(
            TestCluster.get(), Layout.COLUMNAR, family -> family.setMaxVersions(3))) {
      write(t, 0, 30);
      t.flushAndIndex();
      prices(t, 0, 60, 151, HConstants.LATEST_TIMESTAMP);
      t.flushAndIndex();
      Predicate dear = column("price").between(100.0, 199.0);
      for (int versions = 1; versions <= 3; versions++) {
        assertThat(cells(t, dear, "price", versions))
            .hasSizeGreaterThan(300)
            .isEqualTo(cells(t, dear, Attributes.PATH_SCAN, versions));
      }
    }
  }

  private static List<String> cells(
      IndexedTableFixture t, Predicate predicate, String path, int versions) throws IOException {
    Scan scan = new Scan().setFilter(new PredicateFilter(t.bind(predicate)));
    scan.readVersions(versions).setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = t.table().getScanner(scan)) {
      for (Result r : scanner) {
        r.listCells()
            .forEach(c -> cells.add(c + "=" + Bytes.toStringBinary(CellUtil.cloneValue(c))));
      }
    }
    return cells;
  }

  private static void prices(IndexedTableFixture t, int from, int step, double price, long time)
      throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < ROWS; i += step) {
      puts.add(
          new Put(Bytes.toBytes(row(i)), time)
              .addColumn(IndexedTableFixture.F, Bytes.toBytes("price"), Bytes.toBytes(price)));
    }
    t.table().put(puts);
  }

  /** Rows are read once for each HFile in which they are found, which only those are that match. */
  private static void assertFinds(IndexedTableFixture t, int rows) throws IOException {
    assertThat(t.agreed(BOTH)).hasSize(rows - 1); // one has lost its name
    assertThat(run(t, BOTH).records()).isLessThan(rows * 2L);
    assertThat(run(t, BOTH).rereads()).isLessThanOrEqualTo(2);
  }

  /** The condition found rows before, which holds of those that have not changed since. */
  @Test
  void theSameConditionIsAskedAfterEachChange() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 1);
      t.flushAndIndex();
      assertThat(t.agreed(BOTH)).hasSize(100);
      t.price(row(1_003), 500);
      assertThat(t.agreed(BOTH)).hasSize(99);
      t.price(row(5_003), 150);
      assertThat(t.agreed(BOTH)).hasSize(100);
      t.table().delete(new Delete(Bytes.toBytes(row(1_013))));
      assertThat(t.agreed(BOTH)).hasSize(99);
      t.flushAndIndex();
      assertThat(t.agreed(BOTH)).hasSize(99);
      t.price(row(1_003), 150);
      assertThat(t.agreed(BOTH)).hasSize(100);
      t.put(row(1_024), "name", Bytes.toBytes("n3")); // has its price in the first HFile
      assertThat(t.agreed(BOTH)).hasSize(101);
      t.flushAndIndex();
      assertThat(t.agreed(BOTH)).hasSize(101);
    }
  }

  @Test
  void rowsThatANewFileSharesAreFoundBeforeTheNextQuery() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      write(t, 0, 1);
      t.flushAndIndex();
      String first = t.indexes().all().get(0).hfile();
      assertThat(t.agreed(BOTH)).hasSize(100);
      prices(t, 3, 100, 500, HConstants.LATEST_TIMESTAMP);
      t.flushAndIndex();
      await().until(() -> t.indexes().pairs().of(first).count() == ROWS / 100);
      assertThat(t.agreed(BOTH)).hasSize(90);
      assertThat(t.indexes().pairs().of(first).count()).isEqualTo(ROWS / 100);
    }
  }

  @Test
  void absentAndUndecodableValuesCountAsTheyShould() throws IOException {
    try (IndexedTableFixture t = table(DataBlockEncoding.NONE)) {
      t.price("a", 5);
      t.price("b", 5);
      t.put("b", "name", Bytes.toBytes("n3"));
      t.price("c", 5);
      t.put("c", "amount", new byte[] {1});
      t.put("d", "price", new byte[] {1, 2, 3});
      t.put("d", "name", Bytes.toBytes("n3"));
      t.flushAndIndex();
      Predicate cheap = column("price").lt(10.0);
      assertThat(t.agreed(cheap.and(column("name").isNull()))).containsExactly("a", "c");
      assertThat(t.agreed(cheap.and(column("name").ne("n3")))).isEmpty();
      assertThat(t.agreed(cheap.and(column("amount").isNotNull()))).containsExactly("c");
      assertThat(t.agreed(cheap.or(column("name").eq("n3")))).containsExactly("a", "b", "c", "d");
    }
  }
}
