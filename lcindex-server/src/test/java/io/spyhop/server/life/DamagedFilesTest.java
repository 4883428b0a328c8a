package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/**
 * Every kind of damage to index files, each in a region of its own: answers stay right and the
 * files are built again, at the latest when the region is opened again and asked.
 */
class DamagedFilesTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final int ROWS_EACH = 30;

  /** A change of a file's bytes. */
  @FunctionalInterface
  private interface Change {
    /** The bytes that there are afterwards; null if the file is gone. */
    byte[] apply(Path file, byte[] bytes) throws IOException;
  }

  /** One kind of damage, to the files with a suffix. */
  private record Damage(String name, String suffix, Change change) {}

  private static final List<Damage> DAMAGES =
      List.of(
          new Damage("SFile flipped", ".sfile", (f, b) -> flipped(b, b.length / 2)),
          new Damage("SFile cut", ".sfile", (f, b) -> Arrays.copyOf(b, b.length - 7)),
          new Damage("SFile empty", ".sfile", (f, b) -> new byte[0]),
          new Damage("SFile gone", ".sfile", (f, b) -> null),
          new Damage("IFile cut", ".ifile", (f, b) -> Arrays.copyOf(b, b.length - 100)),
          new Damage("IFile empty", ".ifile", (f, b) -> new byte[0]),
          new Damage("IFile gone", ".ifile", (f, b) -> null),
          new Damage("IFile garbage", ".ifile", (f, b) -> garbage(b.length)),
          new Damage("IFile zeros", ".ifile", (f, b) -> new byte[b.length]),
          new Damage("first block's header", ".ifile", (f, b) -> flipped(b, 9)),
          new Damage("a block's length, one bit", ".ifile", (f, b) -> bit(b, 8, 6)),
          new Damage("data block", ".ifile", (f, b) -> flipped(b, 90)),
          new Damage("index block", ".ifile", (f, b) -> flipped(b, loadOnOpen(f) + 40)),
          new Damage("file info", ".ifile", (f, b) -> flipped(b, trailer(b) - 60)),
          new Damage(
              "a count of the index", ".ifile", (f, b) -> bit(b, (int) loadOnOpen(f) + 12, 5)),
          new Damage("trailer's magic", ".ifile", (f, b) -> flipped(b, trailer(b) + 2)),
          new Damage("trailer's length", ".ifile", (f, b) -> flipped(b, trailer(b) + 8)),
          new Damage("trailer's fields", ".ifile", (f, b) -> flipped(b, trailer(b) + 11)),
          new Damage("trailer's version", ".ifile", (f, b) -> flipped(b, b.length - 1)));

  private static byte[] flipped(byte[] bytes, long at) {
    byte[] damaged = bytes.clone();
    damaged[(int) at] ^= 0x55;
    return damaged;
  }

  private static byte[] bit(byte[] bytes, int at, int number) {
    return io.spyhop.server.damage.Damage.bit(bytes, at, number);
  }

  private static byte[] garbage(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /** The trailer has a fixed size in format 3 of HFiles. */
  private static int trailer(byte[] bytes) {
    return bytes.length - 4096;
  }

  private static long loadOnOpen(Path file) throws IOException {
    FileSystem fs = FileSystem.getLocal(CLUSTER.util().getConfiguration()).getRaw();
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(file.toUri()))) {
      return FixedFileTrailer.readFromStream(in, Files.size(file)).getLoadOnOpenDataOffset();
    }
  }

  private static IndexedTableFixture table() throws IOException {
    String[] splits =
        IntStream.range(1, DAMAGES.size())
            .mapToObj(i -> String.format("r%03d", i * ROWS_EACH))
            .toArray(String[]::new);
    IndexedTableFixture t =
        IndexedTableFixture.with(
            CLUSTER,
            d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F)),
            splits);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < DAMAGES.size() * ROWS_EACH; i++) {
      puts.add(Rows.whole(i, -(i / ROWS_EACH * ROWS_EACH)));
    }
    t.table().put(puts);
    t.flushAndIndex();
    return t;
  }

  private static void agree(IndexedTableFixture t) throws IOException {
    assertThat(Rows.agree(t)).hasSize(DAMAGES.size() * 20);
  }

  /** The files to be damaged, region by region. */
  private static List<List<Path>> victims(IndexedTableFixture t) throws IOException {
    List<List<Path>> victims = new ArrayList<>();
    for (int i = 0; i < DAMAGES.size(); i++) {
      byte[] row = Rows.key(i * ROWS_EACH);
      HRegion region =
          CLUSTER.regions(t.name()).stream()
              .filter(r -> r.getRegionInfo().containsRow(row))
              .findFirst()
              .orElseThrow();
      victims.add(IndexFiles.of(CLUSTER, region, DAMAGES.get(i).suffix()));
      assertThat(victims.get(i)).hasSameSizeAs(t.indexes(region).wanted());
    }
    return victims;
  }

  private static void damage(List<List<Path>> victims) throws IOException {
    for (int i = 0; i < DAMAGES.size(); i++) {
      for (Path file : victims.get(i)) {
        byte[] damaged = DAMAGES.get(i).change().apply(file, Files.readAllBytes(file));
        if (damaged == null) {
          Files.delete(file);
        } else {
          Files.write(file, damaged);
        }
      }
    }
  }

  private static void awaitReplaced(List<List<Path>> victims) {
    await("the damaged files to go")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              for (int i = 0; i < DAMAGES.size(); i++) {
                assertThat(victims.get(i)).as(DAMAGES.get(i).name()).noneMatch(Files::exists);
              }
            });
  }

  private static void reopen(IndexedTableFixture t) throws IOException {
    CLUSTER.admin().disableTable(t.name());
    CLUSTER.admin().enableTable(t.name());
  }

  private static void endsWithNewFiles(IndexedTableFixture t, List<List<Path>> victims)
      throws IOException {
    agree(t);
    Regions.awaitCovered(CLUSTER, t.name());
    agree(t);
    Regions.awaitCovered(CLUSTER, t.name());
    awaitReplaced(victims);
    agree(t);
  }

  @Test
  void beforeAnybodyReads() throws IOException {
    try (IndexedTableFixture t = table()) {
      List<List<Path>> victims = victims(t);
      damage(victims);
      agree(t);
      Regions.awaitCovered(CLUSTER, t.name());
      agree(t);
      reopen(t);
      endsWithNewFiles(t, victims);
    }
  }

  @Test
  void betweenTwoQueries() throws IOException {
    try (IndexedTableFixture t = table()) {
      agree(t);
      List<List<Path>> victims = victims(t);
      damage(victims);
      agree(t);
      reopen(t);
      endsWithNewFiles(t, victims);
    }
  }

  @Test
  void whileTheRegionIsClosed() throws IOException {
    try (IndexedTableFixture t = table()) {
      agree(t);
      List<List<Path>> victims = victims(t);
      CLUSTER.admin().disableTable(t.name());
      damage(victims);
      CLUSTER.admin().enableTable(t.name());
      endsWithNewFiles(t, victims);
    }
  }
}
