package io.spyhop.server.life;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.schema.RowsDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that tell where rows are: one for each HFile, whichever columnar indexes there are. */
class RowsFilesTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final int ROWS = 100;
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final Predicate NARROWED =
      column("price").lt(50.0).and(column("name").eq("n3")).and(column("amount").isNull());

  private static IndexedTableFixture table() throws IOException {
    IndexedTableFixture t = new IndexedTableFixture(CLUSTER, Layout.COLUMNAR, family -> family);
    write(t, ROWS);
    return t;
  }

  private static void write(IndexedTableFixture t, int rows) throws IOException {
    for (int i = 0; i < rows; i++) {
      t.price("row" + i, i);
      t.put("row" + i, "name", Bytes.toBytes("n" + i % 10));
    }
    t.flushAndIndex();
  }

  private static List<IndexFile> files(IndexedTableFixture t, String index) {
    return t.indexes().all().stream().filter(f -> f.definition().name().equals(index)).toList();
  }

  private static List<IndexFile> rows(IndexedTableFixture t) {
    return files(t, RowsDefinition.NAME);
  }

  private static List<String> hfiles(IndexedTableFixture t) {
    return t.region().getStore(IndexedTableFixture.F).getStorefiles().stream()
        .map((HStoreFile f) -> f.getPath().getName())
        .toList();
  }

  private static void awaitRebuilt(IndexedTableFixture t, IndexFile file) {
    await(file + " to be built again")
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(files(t, file.definition().name())).hasSize(hfiles(t).size());
              assertThat(t.indexes().all()).doesNotContain(file);
            });
    Regions.awaitCovered(CLUSTER, t.name());
  }

  @Test
  void indexesComeAndGoWithoutThem() throws IOException {
    try (IndexedTableFixture t = table();
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      List<IndexFile> before = t.indexes().all();
      assertThat(before).hasSize(4);
      IndexDefinition note =
          IndexDefinition.builder("note")
              .column("f:note")
              .type(ValueType.STRING)
              .layout(Layout.COLUMNAR)
              .build();
      spyhop.admin().createIndex(t.name(), note);
      spyhop.admin().waitUntilActive(t.name(), SOON);
      assertThat(t.indexes().all()).hasSize(5).containsAll(before);
      spyhop.admin().dropIndex(t.name(), "amount");
      await("the files to go").atMost(SOON).until(() -> files(t, "amount").isEmpty());
      List<IndexFile> others = before.stream().filter(t.indexes().all()::contains).toList();
      assertThat(others).hasSize(3).contains(rows(t).get(0));
      Regions.awaitCovered(CLUSTER, t.name());
      long indexed = CLUSTER.indexedQueries();
      assertThat(t.rows(NARROWED, "price")).isEqualTo(t.rows(NARROWED, "scan")).hasSize(5);
      assertThat(CLUSTER.indexedQueries()).isGreaterThan(indexed);
      assertThat(t.indexes().all()).containsAll(others);
      for (String index : List.of("note", "name", "price")) {
        spyhop.admin().dropIndex(t.name(), index);
      }
      await("nothing to be left").atMost(SOON).until(() -> t.indexes().all().isEmpty());
      await("the disk to be empty")
          .atMost(SOON)
          .until(() -> IndexFiles.of(CLUSTER, t.region(), "").isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gone", "damaged", "cut"})
  void withoutThemAnswersAreRightAndTheyAloneAreBuiltAgain(String how) throws IOException {
    try (IndexedTableFixture t = table()) {
      List<IndexFile> before = t.indexes().all();
      IndexFile victim = rows(t).get(0);
      for (Path file : IndexFiles.of(CLUSTER, t.region(), ".ifile")) {
        if (file.getFileName().toString().contains(".@rows.")) {
          harm(file, how);
        }
      }
      long dropped = dropped();
      assertThat(t.cells(NARROWED, "price")).isEqualTo(t.cells(NARROWED, "scan")).isNotEmpty();
      assertThat(dropped()).isEqualTo(dropped + 1);
      assertThat(t.agreed(NARROWED)).hasSize(5);
      awaitRebuilt(t, victim);
      assertThat(before.stream().filter(t.indexes().all()::contains)).hasSize(3);
      assertThat(t.agreed(NARROWED)).hasSize(5);
    }
  }

  private static long dropped() {
    return CLUSTER.sum(m -> m.fallbacks(Fallback.GONE))
        + CLUSTER.sum(m -> m.fallbacks(Fallback.DAMAGED));
  }

  private static void harm(Path file, String how) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (how) {
      case "gone" -> Files.delete(file);
      case "damaged" -> {
        bytes[40] ^= 1;
        Files.write(file, bytes);
      }
      default -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }
  }

  /** No checksum tells that what is there belongs to another HFile. */
  @ParameterizedTest
  @ValueSource(strings = {RowsDefinition.NAME, "price", "name"})
  void filesOfAnotherHfileAreNotRead(String index) throws IOException {
    try (IndexedTableFixture t = table()) {
      write(t, ROWS / 2);
      IndexFile one = files(t, index).get(0);
      IndexFile other = files(t, index).get(1);
      IndexFile foreign = one.borrowed(other.hfile());
      t.indexes().add(foreign);
      assertThat(t.cells(NARROWED, "price")).isEqualTo(t.cells(NARROWED, "scan")).isNotEmpty();
      awaitRebuilt(t, foreign);
      assertThat(t.indexes().all()).contains(one);
      assertThat(t.agreed(NARROWED)).hasSize(5);
    }
  }

  @Test
  void theirBytesCountOnceAndTheyAreNoIndex() throws IOException {
    try (IndexedTableFixture t = table()) {
      RegionStatus status = Regions.status(CLUSTER, t.name()).get(0);
      assertThat(status.indexes())
          .extracting(IndexState::index)
          .containsExactly("amount", "name", "price");
      List<IndexFile> files = t.indexes().all();
      assertThat(status.indexes().stream().mapToLong(IndexState::ifileBytes).sum())
          .isEqualTo(files.stream().mapToLong(f -> f.ifileLength()).sum());
      assertThat(status.indexes().stream().mapToLong(IndexState::sfileBytes).sum())
          .isEqualTo(files.stream().mapToLong(IndexFile::sfileLength).sum());
    }
  }

  @Test
  void aLayoutThatChangesTakesThemAlong() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture(CLUSTER, Layout.CLUSTERING, f -> f);
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      write(t, ROWS);
      assertThat(rows(t)).isEmpty();
      for (Layout layout : List.of(Layout.COLUMNAR, Layout.CLUSTERING)) {
        IndexDefinition changed =
            t.indexes().schema().index("price").orElseThrow().toBuilder()
                .layout(layout)
                .renewed()
                .build();
        spyhop.admin().dropIndex(t.name(), "price");
        spyhop.admin().createIndex(t.name(), changed);
        spyhop.admin().waitUntilActive(t.name(), SOON);
        await("rows, as the layout has them")
            .atMost(SOON)
            .until(() -> rows(t).size() == (layout == Layout.COLUMNAR ? 1 : 0));
        assertThat(t.agreed(NARROWED)).hasSize(5);
      }
    }
  }
}
