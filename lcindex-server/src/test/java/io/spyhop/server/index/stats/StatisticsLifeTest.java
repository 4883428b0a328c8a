package io.spyhop.server.index.stats;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.core.prune.ScanState.NR;
import static io.spyhop.core.prune.ScanState.RS;
import static io.spyhop.core.prune.ScanState.RSM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.example.RewritingObserver;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.example.QuietObserver;
import org.junit.jupiter.api.Test;

/** Statistics while regions move, crash, split and merge, and files come and go. */
class StatisticsLifeTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final Predicate A5 = column("a").eq(5);
  private static final Predicate A6 = column("a").eq(6);

  private static long reads() {
    return CLUSTER.sum(m -> m.statisticsReads);
  }

  private static StatisticsTable split(String... splits) throws IOException {
    return new StatisticsTable(CLUSTER, f -> f, o -> o, splits);
  }

  @Test
  void movedAndReopenedWithoutReading() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      t.flush();
      t.write("r2", 7, 1);
      final RegionSummary before = t.summary();
      long reads = reads();
      Regions.move(CLUSTER, t.name());
      t.awaitKnown();
      assertThat(t.ask("r1", StatisticsTable.since(before)).whole()).isPresent();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(column("a").eq(7))).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().enableTable(t.name());
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
      assertThat(reads()).isEqualTo(reads);
    }
  }

  @Test
  void crashed() throws Exception {
    try (TestCluster cluster = TestCluster.start(2, conf -> {});
        StatisticsTable t = new StatisticsTable(cluster, f -> f, o -> o)) {
      t.write("r1", 5, 1);
      t.flush();
      t.write("r2", 7, 1);
      final RegionSummary before = t.summary();
      final long reads = cluster.sum(m -> m.statisticsReads);
      cluster.replace(cluster.serverOf(t.region()));
      t.awaitKnown();
      RegionSummary after = t.summary();
      assertThat(after.epoch()).isNotEqualTo(before.epoch());
      assertThat(t.rows(column("a").eq(7))).containsExactly("r2");
      assertThat(t.decide(column("a").eq(7))).isIn(RS, RSM);
      assertThat(t.decide(A5)).isIn(RS, RSM);
      assertThat(t.decide(A6)).isEqualTo(NR);
      t.write("r3", 6, 1);
      assertThat(t.decide(A6)).isEqualTo(RSM);
      assertThat(cluster.sum(m -> m.statisticsReads)).isEqualTo(reads);
    }
  }

  /** Daughters and merged regions go by the statistics of the files that they refer to. */
  @Test
  void splitAndMerged() throws Exception {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("b", 5, 1);
      t.write("y", 7, 1);
      t.flush();
      t.write("z", 8, 1);
      long reads = reads();
      byte[] parent = t.region().getRegionInfo().getRegionName();
      CLUSTER.admin().splitRegionAsync(parent, Bytes.toBytes("m")).get();
      awaitRegions(t, 2);
      t.awaitKnown();
      for (RegionSummary s : t.summaries()) {
        assertThat(t.decide(A6, s).state()).isEqualTo(NR);
      }
      assertThat(t.summaries()).anyMatch(s -> t.decide(A5, s).state() != NR);
      assertThat(t.summaries()).anyMatch(s -> t.decide(column("a").eq(8), s).state() != NR);
      assertThat(reads()).isEqualTo(reads);
      Regions.compact(CLUSTER, t.name(), true);
      t.awaitKnown();
      await("the compactions")
          .atMost(Duration.ofSeconds(30))
          .until(() -> t.decide(A5, t.summaries().get(1)).state() == NR);
      assertThat(t.decide(A5, t.summaries().get(0)).state()).isNotEqualTo(NR);
      byte[][] both =
          CLUSTER.admin().getRegions(t.name()).stream()
              .map(RegionInfo::getRegionName)
              .toArray(byte[][]::new);
      merge(both);
      awaitRegions(t, 1);
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
    }
  }

  /**
   * Regions cannot be merged while they refer to files, and meta notes with a delay that they do.
   */
  private static void merge(byte[][] regions) {
    await("the merge")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).contains("mergeable"))
        .until(
            () -> {
              CLUSTER.admin().mergeRegionsAsync(regions, false).get();
              return true;
            });
  }

  private static void awaitRegions(StatisticsTable t, int count) {
    await(count + " regions")
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> t.summaries().size() == count);
  }

  /** Loaded files are unknown until they are read. */
  @Test
  void bulkLoaded() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 7, 1);
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(NR);
      load(t, 5);
      assertThat(t.rows(A5)).containsExactly("loaded");
      assertThat(t.decide(A5)).isIn(RS, RSM);
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
    }
  }

  private static void load(StatisticsTable t, long value) throws IOException {
    FileSystem fs = CLUSTER.util().getTestFileSystem();
    Path dir = new Path(CLUSTER.util().getDataTestDirOnTestFS(), t.name() + "load");
    StoreFileWriter writer =
        new StoreFileWriter.Builder(CLUSTER.util().getConfiguration(), CacheConfig.DISABLED, fs)
            .withFilePath(new Path(new Path(dir, "f"), "hfile"))
            .withFileContext(new HFileContextBuilder().build())
            .build();
    try {
      writer.append(
          new KeyValue(
              Bytes.toBytes("loaded"),
              StatisticsTable.F,
              Bytes.toBytes("a"),
              System.currentTimeMillis(),
              Bytes.toBytes(value)));
      writer.appendMetadata(1, false);
    } finally {
      writer.close();
    }
    BulkLoadHFiles.create(CLUSTER.util().getConfiguration()).bulkLoad(t.name(), dir);
  }

  /** A TTL makes nulls; taking it back leaves none. */
  @Test
  void altered() throws IOException {
    Predicate isNull = column("a").isNull();
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      t.flush();
      assertThat(t.decide(isNull)).isEqualTo(NR);
      alter(t, f -> f.setTimeToLive(86_400));
      t.awaitKnown();
      assertThat(t.decide(isNull)).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
      alter(t, f -> f.setTimeToLive(org.apache.hadoop.hbase.HConstants.FOREVER));
      t.awaitKnown();
      assertThat(t.decide(isNull)).isEqualTo(NR);
    }
  }

  private static void alter(
      StatisticsTable t, java.util.function.UnaryOperator<ColumnFamilyDescriptorBuilder> change)
      throws IOException {
    TableDescriptor d = CLUSTER.admin().getDescriptor(t.name());
    ColumnFamilyDescriptor f = d.getColumnFamily(StatisticsTable.F);
    CLUSTER
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(d)
                .modifyColumnFamily(
                    change.apply(ColumnFamilyDescriptorBuilder.newBuilder(f)).build())
                .build());
  }

  @Test
  void clonedFromSnapshot() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      t.flush();
      String snapshot = "of-" + t.name().getNameAsString();
      CLUSTER.admin().snapshot(snapshot, t.name());
      t.write("r2", 6, 1);
      t.flush();
      long reads = reads();
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().restoreSnapshot(snapshot);
      CLUSTER.admin().enableTable(t.name());
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
      assertThat(reads()).isEqualTo(reads);
      CLUSTER.admin().deleteSnapshot(snapshot);
    }
  }

  private static List<Path> sideFiles(StatisticsTable t) throws IOException {
    Path region = t.region().getRegionFileSystem().getRegionDir();
    Path family = new Path(new Path(region, StatisticsDirectory.NAME), "f");
    FileSystem fs = t.region().getRegionFileSystem().getFileSystem();
    return Arrays.stream(fs.listStatus(family)).map(FileStatus::getPath).toList();
  }

  /** A damaged side file is as good as none; those of compacted HFiles go. */
  @Test
  void sideFilesAreDamagedAndGo() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      t.flush();
      final FileSystem fs = t.region().getRegionFileSystem().getFileSystem();
      final Path side = sideFiles(t).get(0);
      CLUSTER.admin().disableTable(t.name());
      byte[] bytes = new byte[(int) fs.getFileStatus(side).getLen()];
      try (var in = fs.open(side)) {
        in.readFully(bytes);
      }
      bytes[bytes.length / 2] ^= 1;
      try (FSDataOutputStream out = fs.create(side, true)) {
        out.write(bytes);
      }
      final long reads = reads();
      CLUSTER.admin().enableTable(t.name());
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(A6)).isEqualTo(NR);
      await("the read").atMost(Duration.ofSeconds(60)).until(() -> reads() > reads);
      t.write("r2", 6, 1);
      t.flush();
      assertThat(sideFiles(t)).hasSize(2);
      Regions.compact(CLUSTER, t.name(), true);
      await("old side files to go")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(sideFiles(t)).hasSize(1).doesNotContain(side));
      assertThat(t.decide(A6)).isEqualTo(RS);
    }
  }

  /** Side files hold values: they are as secret as the HFiles. */
  @Test
  void encrypted() throws IOException {
    long secret = 0x5345435245545321L; // SECRETS!
    for (boolean encrypted : new boolean[] {true, false}) {
      try (StatisticsTable t =
          new StatisticsTable(CLUSTER, f -> encrypted ? f.setEncryptionType("AES") : f, o -> o)) {
        t.write("r1", 5, secret);
        t.flush();
        FileSystem fs = t.region().getRegionFileSystem().getFileSystem();
        Path side = sideFiles(t).get(0);
        byte[] bytes = new byte[(int) fs.getFileStatus(side).getLen()];
        try (var in = fs.open(side)) {
          in.readFully(bytes);
        }
        assertThat(Bytes.toStringBinary(bytes).contains("ECRETS!")).isEqualTo(!encrypted);
        long reads = reads();
        CLUSTER.admin().disableTable(t.name());
        CLUSTER.admin().enableTable(t.name());
        t.awaitKnown();
        assertThat(t.decide(A5)).isEqualTo(RS);
        assertThat(t.decide(A6)).isEqualTo(NR);
        assertThat(reads()).isEqualTo(reads);
      }
    }
  }

  /** Cells that get into the memstore past all hooks are missed by count. */
  @Test
  void memstoreThatDisagrees() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 7, 1);
      assertThat(t.decide(A5)).isEqualTo(NR);
      HStore store = t.region().getStore(StatisticsTable.F);
      byte[] row = Bytes.toBytes("past");
      byte[] a = Bytes.toBytes("a");
      store.add(new KeyValue(row, StatisticsTable.F, a, 1, Bytes.toBytes(5L)), null);
      assertThat(t.decide(A5)).isEqualTo(RSM);
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RSM);
      assertThat(t.decide(A6)).isEqualTo(NR);
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(RS);
    }
  }

  /** Other coprocessors may show cells that are not there. */
  @Test
  void watchedByOthers() throws IOException {
    try (StatisticsTable t =
        new StatisticsTable(
            CLUSTER, f -> f, o -> setCoprocessor(o, QuietObserver.class.getName()))) {
      assertThat(t.summary().unknown()).contains("other coprocessors");
      assertThat(t.decide(A5)).isEqualTo(RSM);
    }
  }

  /** What was watched while others could change it after us is not believed when they are gone. */
  @Test
  void compactedUnderOthersThatAreGone() throws IOException {
    CoprocessorDescriptor last =
        CoprocessorDescriptorBuilder.newBuilder(RewritingObserver.class.getName())
            .setPriority(Coprocessor.PRIORITY_LOWEST)
            .build();
    try (StatisticsTable t = new StatisticsTable(CLUSTER, f -> f, o -> setCoprocessor(o, last))) {
      t.write("r", ~5L, 1);
      t.flush();
      Regions.compact(CLUSTER, t.name(), true);
      CLUSTER
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(CLUSTER.admin().getDescriptor(t.name()))
                  .removeCoprocessor(RewritingObserver.class.getName())
                  .build());
      t.awaitKnown();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.rows(A5)).containsExactly("r");
    }
  }

  private static TableDescriptorBuilder setCoprocessor(
      TableDescriptorBuilder b, CoprocessorDescriptor observer) {
    try {
      return b.setCoprocessor(observer);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static TableDescriptorBuilder setCoprocessor(TableDescriptorBuilder b, String name) {
    try {
      return b.setCoprocessor(name);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void manyRegionsAnswerForThemselves() throws IOException {
    try (StatisticsTable t = split("h", "p")) {
      t.write("a", 5, 1);
      t.write("m", 6, 1);
      t.write("z", 7, 1);
      List<RegionSummary> all = t.summaries();
      assertThat(all).hasSize(3);
      assertThat(t.decide(A5, all.get(0)).state()).isEqualTo(RSM);
      assertThat(t.decide(A5, all.get(1)).state()).isEqualTo(NR);
      assertThat(t.decide(A6, all.get(1)).state()).isEqualTo(RSM);
      assertThat(all.get(1).covers(Bytes.toBytes("h"), Bytes.toBytes("p"))).isTrue();
    }
  }
}
