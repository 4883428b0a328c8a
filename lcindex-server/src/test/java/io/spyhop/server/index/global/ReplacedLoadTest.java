package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk loads of files that are others than those whose entries were written. */
class ReplacedLoadTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static Path file(String rows, long value) throws IOException {
    return BulkFile.write(CLUSTER, BloomType.ROW, cells(rows, value));
  }

  private static List<KeyValue> cells(String rows, long value) {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] row = Bytes.toBytes(rows + i);
      cells.add(new KeyValue(row, GlobalFixture.F, GlobalFixture.V, 5, Bytes.toBytes(value + i)));
    }
    return cells;
  }

  private static void replace(Path file, Path by) throws IOException {
    FileSystem fs = CLUSTER.util().getTestFileSystem();
    assertThat(fs.delete(file, false)).isTrue();
    assertThat(fs.rename(by, file)).isTrue();
  }

  /** As a region server does for a client, but for what happens in between. */
  private static Map<byte[], List<Path>> load(HRegion region, Path file, Path by, boolean copy)
      throws IOException {
    List<Pair<byte[], String>> files =
        new ArrayList<>(List.of(new Pair<>(GlobalFixture.F, file.toString())));
    region.getCoprocessorHost().preBulkLoadHFile(files);
    Map<byte[], List<Path>> loaded = null;
    try {
      if (by != null) {
        replace(file, by);
      }
      if (copy) {
        FileSystem fs = CLUSTER.util().getTestFileSystem();
        Path copied = new Path(file.getParent(), "copy");
        FileUtil.copy(fs, file, fs, copied, false, fs.getConf());
        replace(file, copied);
      }
      loaded = region.bulkLoadHFiles(files, true, null, false, null, true);
    } finally {
      region.getCoprocessorHost().postBulkLoadHFile(files, loaded);
    }
    return loaded;
  }

  /** Values alone may differ, of the same length. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void theIndexIsNotBelievedUntilItHasTheLoadedFile(String rows) throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.write(GlobalFixture.put("z", 7));
      t.awaitBuilt();
      HRegion region = CLUSTER.regions(t.name()).get(0);
      assertThat(load(region, file("a", 0), file(rows, 100), false)).isNotNull();
      assertThat(t.expected()).hasSize(51);
      assertThat(t.built().isComplete() && !t.entries().containsAll(t.expected())).isFalse();
      await("the index to be built again")
          .atMost(Duration.ofMinutes(1))
          .until(() -> t.built().isComplete());
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  /** All the way that a client's load takes; of the file that was read no entry stays. */
  @Test
  void aClientsLoadOfAReplacedFileIsBuiltAgain() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      BulkFile.loadReplaced(CLUSTER, t.name(), BloomType.ROW, cells("a", 0), cells("a", 100));
      assertThat(t.expected()).contains(t.entry("a0", 100, 5)).hasSize(50);
      assertThat(t.built().isComplete() && !t.entries().containsAll(t.expected())).isFalse();
      await("the index to be built again")
          .atMost(Duration.ofMinutes(1))
          .until(() -> t.built().isComplete() && t.entries().equals(t.expected()));
    }
  }

  @Test
  void theSameFileAndItsCopyAreBelieved() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      HRegion region = CLUSTER.regions(t.name()).get(0);
      for (boolean copy : new boolean[] {false, true}) {
        assertThat(load(region, file(copy ? "b" : "a", 0), null, copy)).isNotNull();
        assertThat(t.built().isComplete()).as("copied: %s", copy).isTrue();
        assertThat(t.entries()).isEqualTo(t.expected());
      }
    }
  }

  /** What others load into a region by themselves has no entries. */
  @Test
  void loadsPastTheHooksAreRefused() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      HRegion region = CLUSTER.regions(t.name()).get(0);
      Path file = file("a", 0);
      List<Pair<byte[], String>> files = List.of(new Pair<>(GlobalFixture.F, file.toString()));
      assertThatThrownBy(() -> region.bulkLoadHFiles(files, true, null, false, null, true))
          .hasMessageContaining(t.name().getNameAsString())
          .hasMessageContaining("past the hooks of bulk loads");
      assertThat(CLUSTER.util().getTestFileSystem().exists(file)).isTrue();
      assertThat(t.expected()).isEmpty();
    }
  }
}
