package io.spyhop.server.index.local.upkeep;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.example.RewritingObserver;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.example.QuietObserver;
import org.junit.jupiter.api.Test;

/**
 * After a compaction that kept everything, index files are merged; where a cell was dropped, a row
 * lay in two inputs, or nothing proves the contrary, they are built from the new HFile.
 */
class CompactionTest {
  private static final int INDEXES = 3;

  private record Made(long merged, long rebuilt) {}

  /** Compacts and tells how the new HFile's index files came about. */
  private static Made compact(IndexedTableFixture t) throws IOException {
    long merged = merged();
    long rebuilt = rebuilt();
    Regions.compact(TestCluster.get(), t.name(), true);
    Regions.awaitCovered(TestCluster.get(), t.name());
    assertThat(t.region().getStore(IndexedTableFixture.F).getStorefilesCount()).isEqualTo(1);
    return new Made(merged() - merged, rebuilt() - rebuilt);
  }

  private static long merged() {
    return TestCluster.get().sum(m -> m.mergedFiles);
  }

  private static long rebuilt() {
    return TestCluster.get().sum(m -> m.rebuiltFiles);
  }

  private static void twoFiles(IndexedTableFixture t) throws IOException {
    for (int i = 0; i < 20; i++) {
      t.price("a" + i, i);
    }
    t.put("a1", "name", Bytes.toBytes("one"));
    t.flushAndIndex();
    for (int i = 0; i < 20; i++) {
      t.price("b" + i, i);
    }
    t.put("b1", "other", Bytes.toBytes("two"));
    t.flushAndIndex();
  }

  @Test
  void disjointFilesAreMerged() throws IOException {
    try (IndexedTableFixture t = IndexedTableFixture.clustering()) {
      twoFiles(t);
      assertThat(compact(t)).isEqualTo(new Made(INDEXES, 0));
      assertThat(t.agreed(column("price").between(1, 3)))
          .containsExactly("a1", "a2", "a3", "b1", "b2", "b3");
      assertThat(t.agreed(column("name").eq("one"))).containsExactly("a1");
    }
  }

  @Test
  void aDroppedVersionMeansReadingTheFile() throws IOException {
    try (IndexedTableFixture t = IndexedTableFixture.clustering()) {
      twoFiles(t);
      t.price("b1", 100);
      t.flushAndIndex();
      assertThat(compact(t)).isEqualTo(new Made(0, INDEXES));
      assertThat(t.agreed(column("price").eq(1))).containsExactly("a1");
      assertThat(t.agreed(column("price").eq(100))).containsExactly("b1");
    }
  }

  @Test
  void aDeletedRowMeansReadingTheFile() throws IOException {
    try (IndexedTableFixture t = IndexedTableFixture.clustering()) {
      twoFiles(t);
      t.table().delete(new Delete(Bytes.toBytes("a3")));
      t.flushAndIndex();
      assertThat(compact(t)).isEqualTo(new Made(0, INDEXES));
      assertThat(t.agreed(column("price").eq(3))).containsExactly("b3");
    }
  }

  /** Nothing is dropped, but records of one row must become one. */
  @Test
  void aRowInTwoFilesMeansReadingTheFile() throws IOException {
    try (IndexedTableFixture t = IndexedTableFixture.clustering()) {
      twoFiles(t);
      t.put("a5", "name", Bytes.toBytes("five"));
      t.flushAndIndex();
      assertThat(compact(t)).isEqualTo(new Made(0, INDEXES));
      assertThat(t.agreed(column("name").eq("five").and(column("price").eq(5))))
          .containsExactly("a5");
    }
  }

  /** It may change cells while they are compacted; counts would not tell. */
  @Test
  void underForeignObserversNothingIsProven() throws IOException {
    try (IndexedTableFixture t =
        IndexedTableFixture.clustering(f -> f, table -> coprocessor(table, QuietObserver.class))) {
      twoFiles(t);
      assertThat(compact(t)).isEqualTo(new Made(0, INDEXES));
      long rereads = TestCluster.get().sum(m -> m.rereads);
      assertThat(t.agreed(column("price").eq(3))).containsExactly("a3", "b3");
      assertThat(TestCluster.get().sum(m -> m.rereads)).isGreaterThan(rereads);
    }
  }

  /** Rule 32: some of HBase's own observers rewrite values, and the counts stay the same. */
  @Test
  void anObserverInAPackageOfHBaseMayBeForeign() throws IOException {
    try (IndexedTableFixture t =
        IndexedTableFixture.clustering(
            f -> f, table -> coprocessor(table, RewritingObserver.class))) {
      twoFiles(t);
      assertThat(compact(t)).isEqualTo(new Made(0, INDEXES));
      double rewritten = Bytes.toDouble(RewritingObserver.rewritten(Bytes.toBytes(3.0)));
      assertThat(t.agreed(column("price").eq(rewritten))).containsExactly("a3", "b3");
      assertThat(t.agreed(column("price").eq(3))).isEmpty();
    }
  }

  private static TableDescriptorBuilder coprocessor(
      TableDescriptorBuilder table, Class<?> observer) {
    try {
      return table.setCoprocessor(observer.getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutRowBloomNothingIsProven() throws IOException {
    try (IndexedTableFixture t =
        IndexedTableFixture.clustering(
            f -> f.setBloomFilterType(BloomType.ROWCOL), table -> table)) {
      twoFiles(t);
      assertThat(compact(t)).isEqualTo(new Made(0, INDEXES));
      assertThat(t.agreed(column("price").eq(3))).containsExactly("a3", "b3");
    }
  }
}
