package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Index files of regions that are no more go soon, whatever has ended the region, and not before
 * nobody can read them. Those of regions that are elsewhere stay for a day, as is the default.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoneRegionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SHARED = "/spyhop-gone";

  /** A place in which servers keep index files. */
  enum Disk {
    LOCAL(conf -> {}),
    SHARED(conf -> conf.set("spyhop.ifile.dir", GoneRegionsTest.SHARED));

    private final Consumer<Configuration> settings;
    private TestCluster cluster;

    Disk(Consumer<Configuration> settings) {
      this.settings = settings;
    }

    TestCluster cluster() {
      if (cluster == null) {
        cluster =
            TestCluster.start(
                2,
                conf -> {
                  conf.setLong("spyhop.sweep.ms", 200);
                  conf.setLong("spyhop.sweep.gone.ms", 400);
                  conf.setInt("hbase.catalogjanitor.interval", 500);
                  conf.setInt("hbase.master.cleaner.interval", 500);
                  conf.setInt("hbase.master.hfilecleaner.ttl", 500);
                  settings.accept(conf);
                });
      }
      return cluster;
    }

    /** The directories of index files of regions, on whatever server. */
    List<String> directories(Collection<String> regions) throws IOException {
      Configuration conf = cluster().util().getConfiguration();
      Path root = new Path(conf.get("spyhop.ifile.dir"));
      Path below = this == SHARED ? root : new Path(root, "*");
      List<String> found = new ArrayList<>();
      for (String r : regions) {
        FileStatus[] its = below.getFileSystem(conf).globStatus(new Path(below, r));
        for (FileStatus s : its == null ? new FileStatus[0] : its) {
          found.add(s.getPath().toString());
        }
      }
      return found;
    }

    void awaitGone(Collection<String> regions) {
      await("the index files of " + regions + " to go")
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(directories(regions)).isEmpty());
    }

    /** The sweep has looked at all directories since, more than once. */
    void awaitSweeps() throws IOException {
      IndexedTableFixture other = filled(this);
      List<String> regions = names(this, other.name());
      other.close();
      awaitGone(regions);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (Disk d : Disk.values()) {
      if (d.cluster != null) {
        d.cluster.close();
      }
    }
  }

  private static IndexedTableFixture filled(Disk disk) throws IOException {
    IndexedTableFixture t =
        IndexedTableFixture.with(
            disk.cluster(),
            d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F)),
            "r050");
    Rows.write(t, 0, 100, 0);
    t.flushAndIndex();
    assertThat(disk.directories(names(disk, t.name()))).hasSize(2);
    return t;
  }

  private static List<String> names(Disk disk, TableName table) {
    return disk.cluster().regions(table).stream()
        .map(HRegion::getRegionInfo)
        .sorted(RegionInfo.COMPARATOR)
        .map(RegionInfo::getEncodedName)
        .toList();
  }

  private static void awaitRegions(Disk disk, IndexedTableFixture t, int count) {
    await(count + " regions")
        .atMost(PATIENCE)
        .until(() -> disk.cluster().regions(t.name()).size() == count);
  }

  private static void compact(Disk disk, IndexedTableFixture t) throws IOException {
    disk.cluster().admin().compactionSwitch(true, List.of());
    Regions.compact(disk.cluster(), t.name(), true);
    Regions.awaitCovered(disk.cluster(), t.name());
  }

  @ParameterizedTest
  @EnumSource
  void splitAndMerged(Disk disk) throws Exception {
    try (IndexedTableFixture t = filled(disk)) {
      Admin admin = disk.cluster().admin();
      admin.compactionSwitch(false, List.of());
      RegionInfo parent = disk.cluster().regions(t.name()).get(0).getRegionInfo();
      String parentName = parent.getEncodedName();
      String at = parent.getStartKey().length == 0 ? "r025" : "r075";
      admin.splitRegionAsync(parent.getRegionName(), Bytes.toBytes(at)).get();
      awaitRegions(disk, t, 3);
      disk.awaitSweeps();
      assertThat(disk.directories(List.of(parentName))).as("the daughters read them").isNotEmpty();
      assertThat(Rows.agree(t)).isNotEmpty();
      compact(disk, t);
      disk.awaitGone(List.of(parentName));
      assertThat(Rows.agree(t)).isNotEmpty();

      admin.compactionSwitch(false, List.of());
      List<String> merged = names(disk, t.name());
      admin
          .mergeRegionsAsync(merged.stream().map(Bytes::toBytes).toArray(byte[][]::new), false)
          .get();
      awaitRegions(disk, t, 1);
      disk.awaitSweeps();
      assertThat(disk.directories(merged)).as("the merged region reads them").hasSize(3);
      assertThat(Rows.agree(t)).isNotEmpty();
      compact(disk, t);
      disk.awaitGone(merged);
      assertThat(Rows.agree(t)).isNotEmpty();
    } finally {
      disk.cluster().admin().compactionSwitch(true, List.of());
    }
  }

  @ParameterizedTest
  @EnumSource
  void truncatedAndDropped(Disk disk) throws Exception {
    Admin admin = disk.cluster().admin();
    List<String> second;
    try (IndexedTableFixture t = filled(disk)) {
      List<String> first = names(disk, t.name());
      admin.disableTable(t.name());
      disk.awaitSweeps();
      assertThat(disk.directories(first)).as("of a table that is disabled").hasSize(2);
      admin.truncateTable(t.name(), true);
      disk.awaitGone(first);
      Rows.write(t, 0, 100, 0);
      t.flushAndIndex();
      second = names(disk, t.name());
      assertThat(disk.directories(second)).hasSize(2).isNotEqualTo(first);
    }
    disk.awaitGone(second);
  }

  /** A table of links to its HFiles may be made of a snapshot, and be read, when it is no more. */
  @ParameterizedTest
  @EnumSource
  void droppedAndCloned(Disk disk) throws Exception {
    Admin admin = disk.cluster().admin();
    String snapshot = "of-" + disk;
    TableName name = TableName.valueOf("clone-" + disk);
    List<String> origin;
    try (IndexedTableFixture t = filled(disk)) {
      origin = names(disk, t.name());
      admin.snapshot(snapshot, t.name());
    }
    admin.cloneSnapshot(snapshot, name);
    admin.deleteSnapshot(snapshot);
    try (IndexedTableFixture clone = IndexedTableFixture.existing(disk.cluster(), name)) {
      Regions.awaitCovered(disk.cluster(), name);
      disk.awaitSweeps();
      assertThat(disk.directories(origin)).as("the clone reads them").hasSize(2);
      assertThat(Rows.agree(clone)).isNotEmpty();
    }
    disk.awaitGone(origin);
  }

  private static HRegion region(Disk disk, TableName table, String name) {
    return disk.cluster().regions(table).stream()
        .filter(r -> r.getRegionInfo().getEncodedName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void move(Disk disk, TableName table, String name) throws IOException {
    ServerName from = disk.cluster().serverOf(region(disk, table, name));
    ServerName to =
        disk.cluster().admin().getRegionServers().stream()
            .filter(s -> !s.equals(from))
            .findFirst()
            .orElseThrow();
    disk.cluster().admin().move(Bytes.toBytes(name), to);
    await("the region to be open there")
        .atMost(PATIENCE)
        .until(
            () ->
                names(disk, table).contains(name)
                    && disk.cluster().serverOf(region(disk, table, name)).equals(to));
  }

  /** Which is not to be gone: it may come back. */
  @ParameterizedTest
  @EnumSource
  void elsewhere(Disk disk) throws Exception {
    try (IndexedTableFixture t = filled(disk)) {
      List<String> regions = names(disk, t.name());
      move(disk, t.name(), regions.get(0));
      Regions.awaitCovered(disk.cluster(), t.name());
      disk.awaitSweeps();
      assertThat(disk.directories(regions)).hasSize(disk == Disk.LOCAL ? 3 : 2);
    }
  }
}
