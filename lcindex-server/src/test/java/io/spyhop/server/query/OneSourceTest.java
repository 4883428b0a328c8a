package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Correctness rule 1: that a row lives in one source only is a claim about all the others. */
class OneSourceTest {
  private static final Predicate CHEAP = column("price").between(1.0, 10.0);

  @Test
  void newerVersionInNewerFile() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5);
      t.price("b", 5);
      t.flushAndIndex();
      t.price("a", 50);
      t.price("z", 60);
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP)).containsExactly("b");
    }
  }

  @Test
  void newerVersionInFileWithoutIndexFiles() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5);
      t.flushAndIndex();
      t.price("a", 50);
      Regions.flush(TestCluster.get(), t.name());
      assertThat(t.agreed(CHEAP)).isEmpty();
    }
  }

  @Test
  void newerVersionInFileWithoutRowBloom() throws IOException {
    for (BloomType bloom : new BloomType[] {BloomType.NONE, BloomType.ROWCOL}) {
      try (IndexedTableFixture t = new IndexedTableFixture(f -> f.setBloomFilterType(bloom))) {
        t.price("a", 5);
        t.price("b", 6);
        t.flushAndIndex();
        t.price("a", 50);
        t.price("c", 50);
        t.flushAndIndex();
        assertThat(t.agreed(CHEAP)).containsExactly("b");
      }
    }
  }

  @Test
  void newerVersionInMemstore() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5);
      t.price("b", 50);
      t.flushAndIndex();
      t.price("a", 50);
      t.price("b", 5);
      assertThat(t.agreed(CHEAP)).containsExactly("b");
    }
  }

  @Test
  void deleteMarkerElsewhere() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5);
      t.price("b", 5);
      t.flushAndIndex();
      t.table().delete(new Delete(Bytes.toBytes("a")));
      assertThat(t.agreed(CHEAP)).containsExactly("b");
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP)).containsExactly("b");
    }
  }

  @Test
  void deletingTheNewestVersionExposesAnOlderMatch() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture(f -> f.setMaxVersions(3))) {
      t.price("a", 5, 100);
      t.price("a", 50, 200);
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP)).isEmpty();
      t.table()
          .delete(
              new Delete(Bytes.toBytes("a"))
                  .addColumn(IndexedTableFixture.F, IndexedTableFixture.q("price"), 200));
      assertThat(t.agreed(CHEAP)).containsExactly("a");
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP)).containsExactly("a");
    }
  }

  @Test
  void twoMatchingVersionsInOneFile() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture(f -> f.setMaxVersions(3))) {
      t.price("a", 5, 100);
      t.price("a", 6, 200);
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP)).containsExactly("a");
      assertThat(t.cells(CHEAP, "price")).hasSize(1);
    }
  }

  /** Rule 24: the reader of a merged region's reference says half of the file's count, 0 of one. */
  @Test
  void overwrittenOrDeletedInFileOfOneCellOfMergedRegion() throws Exception {
    TestCluster cluster = TestCluster.get();
    for (BloomType bloom : new BloomType[] {BloomType.ROW, BloomType.NONE}) {
      try (IndexedTableFixture t = merged(cluster, bloom)) {
        for (String row : List.of("a", "b", "c", "x", "y")) {
          t.price(row, 5);
        }
        t.flushAndIndex();
        t.price("a", 50);
        t.table().delete(new Delete(Bytes.toBytes("y")));
        t.flushAndIndex();
        cluster.admin().mergeRegionsAsync(regions(cluster, t), false).get(60, TimeUnit.SECONDS);
        Awaitility.await("the merged region to open")
            .atMost(Duration.ofSeconds(30))
            .until(() -> cluster.regions(t.name()).size() == 1);
        Regions.awaitCovered(cluster, t.name());
        assertThat(t.region().hasReferences()).isTrue();
        assertThat(t.agreed(CHEAP)).containsExactly("b", "c", "x");
      }
    }
  }

  private static IndexedTableFixture merged(TestCluster cluster, BloomType bloom)
      throws IOException {
    return IndexedTableFixture.with(
        cluster,
        d ->
            d.setCompactionEnabled(false)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(IndexedTableFixture.F)
                        .setBloomFilterType(bloom)
                        .build()),
        "k");
  }

  private static byte[][] regions(TestCluster cluster, IndexedTableFixture t) throws IOException {
    return cluster.admin().getRegions(t.name()).stream()
        .map(RegionInfo::getEncodedNameAsBytes)
        .toArray(byte[][]::new);
  }

  @Test
  void predicateColumnsInDifferentFiles() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      t.price("a", 5);
      t.put("a", "name", Bytes.toBytes("old"));
      t.flushAndIndex();
      t.put("a", "name", Bytes.toBytes("new"));
      t.flushAndIndex();
      assertThat(t.agreed(CHEAP.and(column("name").eq("new")))).containsExactly("a");
      assertThat(t.agreed(CHEAP.and(column("name").eq("old")))).isEmpty();
    }
  }
}
