package io.spyhop.server.life;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columnar files that a query reads beside those of its driving index. */
class ColumnarFilesTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static List<String> indexes(List<IndexFile> files) {
    return files.stream().map(f -> f.definition().name()).toList();
  }

  /** If those of the driving index were dropped, they would be built again, and dropped again. */
  @Test
  void thoseThatAreGoneAreDroppedAndNoOthers() throws IOException {
    try (IndexedTableFixture t =
        new IndexedTableFixture(CLUSTER, Layout.COLUMNAR, family -> family)) {
      for (int i = 0; i < 100; i++) {
        t.price("row" + i, i);
        t.put("row" + i, "name", Bytes.toBytes("n" + i % 10));
      }
      t.flushAndIndex();
      List<IndexFile> before = t.indexes().all();
      for (Path file : IndexFiles.of(CLUSTER, t.region(), ".ifile")) {
        if (file.getFileName().toString().contains(".name.")) {
          Files.delete(file);
        }
      }
      var narrowed = column("price").lt(50.0).and(column("name").eq("n3"));
      assertThat(t.cells(narrowed, "price")).isEqualTo(t.cells(narrowed, "scan"));
      await("the index files to be built again")
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                List<IndexFile> now = t.indexes().all();
                return now.size() == before.size() && !before.containsAll(now);
              });
      List<IndexFile> kept = t.indexes().all().stream().filter(before::contains).toList();
      assertThat(indexes(kept)).containsExactlyInAnyOrder("price", "amount", "@rows");
      assertThat(t.agreed(narrowed)).hasSize(5);
    }
  }

  /** The region's own scanner goes on behind the last row that was handed out. */
  @ParameterizedTest
  @ValueSource(strings = {"price", "@rows"})
  void damageBehindTheFirstBlocksShowsWhenRowsWereHandedOut(String index) throws IOException {
    try (IndexedTableFixture t =
        new IndexedTableFixture(CLUSTER, Layout.COLUMNAR, f -> f.setBlocksize(4096))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 30_000; i++) {
        byte[] price = Bytes.toBytes((double) (i % 100));
        puts.add(
            new Put(Bytes.toBytes("row" + (100_000 + i)))
                .addColumn(IndexedTableFixture.F, Bytes.toBytes("price"), price));
      }
      t.table().put(puts);
      t.flushAndIndex();
      for (Path file : IndexFiles.of(CLUSTER, t.region(), ".ifile")) {
        if (file.getFileName().toString().contains("." + index + ".")) {
          byte[] bytes = Files.readAllBytes(file);
          bytes[bytes.length * 3 / 4] ^= 1;
          Files.write(file, bytes);
        }
      }
      var cheap = column("price").lt(3.0);
      RegionPlan.Actual actual = Queries.run(t, cheap, "price");
      assertThat(actual.fallback()).contains("/" + index);
      assertThat(actual.records()).isPositive();
      assertThat(actual.rows()).isEqualTo(900);
      assertThat(t.cells(cheap, "price")).isEqualTo(t.cells(cheap, "scan"));
    }
  }
}
