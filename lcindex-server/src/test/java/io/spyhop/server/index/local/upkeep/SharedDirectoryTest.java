package io.spyhop.server.index.local.upkeep;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.index.local.OpenFiles;
import io.spyhop.server.index.local.directory.DirectoryMark;
import io.spyhop.server.index.local.directory.HBaseRoot;
import io.spyhop.server.index.local.directory.RegionSweep;
import io.spyhop.server.index.local.directory.ServerDirectory;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Index files on HDFS: a moved region finds its files where they are, nothing is fetched or built;
 * and what is not this cluster's there is left alone.
 */
class SharedDirectoryTest {
  private static final Path ROOT = new Path("/spyhop-index");
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            2,
            conf -> {
              conf.set("spyhop.ifile.dir", ROOT.toString());
              conf.setLong("spyhop.sweep.ms", 500);
              conf.setLong("spyhop.sweep.absent.ms", 1);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static Set<String> names(IndexedTableFixture t) {
    return cluster.regions(t.name()).stream()
        .flatMap(r -> t.indexes(r).all().stream())
        .map(f -> f.ifile())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void lifeOnHdfs() throws Exception {
    String region;
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      for (int i = 0; i < 60; i++) {
        t.price(String.format("r%02d", i), i % 10);
      }
      t.flushAndIndex();
      region = t.region().getRegionInfo().getEncodedName();
      assertThat(replications(region)).containsOnly(1);
      Set<String> built = names(t);
      long fetched = cluster.sum(m -> m.fetchedFiles);
      Regions.move(cluster, t.name());
      Regions.awaitCovered(cluster, t.name());
      assertThat(names(t)).isEqualTo(built);
      assertThat(cluster.sum(m -> m.fetchedFiles)).isEqualTo(fetched);
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
      split(t);
      Awaitility.await("the daughters to read their parent's files")
          .atMost(Duration.ofSeconds(30))
          .until(() -> names(t).equals(built));
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
      cluster.admin().compactionSwitch(true, List.of());
      Regions.compact(cluster, t.name(), true);
      Regions.awaitCovered(cluster, t.name());
      assertThat(names(t)).hasSize(2 * built.size()).doesNotContainAnyElementsOf(built);
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
    }
    Awaitility.await("the files of the dropped table to go")
        .atMost(Duration.ofSeconds(60))
        .until(() -> !fs().exists(new Path(ROOT, region)));
  }

  /** A directory on HDFS as a server of this cluster would use it. */
  private static ServerDirectory directory(String root) throws IOException {
    Configuration conf = new Configuration(cluster.util().getConfiguration());
    conf.set(ServerDirectory.ROOT, root);
    return ServerDirectory.of(
        conf,
        ServerName.valueOf("host", 1, 1),
        new HBaseRoot(conf),
        new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private static void refused(String root, String... why) throws IOException {
    try (ServerDirectory d = directory(root)) {
      assertThatThrownBy(d::ensureLocked).hasMessageContainingAll(why);
      d.sweep(r -> false, r -> r, 0, new RegionSweep.Terms(0, 0), true);
    }
  }

  /** Once lost {@code data} and {@code WALs}, as they are no regions. */
  @Test
  void aWrongRootIsRefused() throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    FileStatus[] before = fs().listStatus(root);
    for (Path wrong : List.of(root, root.getParent(), new Path(root, "spyhop"))) {
      refused(wrong.toString(), "HBase's own directory", ServerDirectory.ROOT);
    }
    assertThat(fs().listStatus(root)).isEqualTo(before);
    fs().mkdirs(new Path("/others/data"));
    refused("/others", "'data'", "has no mark", ServerDirectory.ROOT);
    assertThat(fs().exists(new Path("/others/data"))).isTrue();
  }

  @Test
  void otherClustersFilesAreLeftAlone() throws IOException {
    String region = "0123456789abcdef0123456789abcdef";
    Path file = new Path("/marked/" + region + "/hfile.index.01234567.ifile");
    fs().create(file).close();
    refused("/marked", region, "a region that this cluster does not have");
    DirectoryMark.write(fs(), new Path("/marked"), "another");
    refused("/marked", "of the cluster another", ServerDirectory.ROOT);
    assertThat(fs().exists(file)).isTrue();
  }

  /** As a version without marks has left it: only this cluster's regions. */
  @Test
  void ownFilesWithoutMarkAreAdopted() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      String region = t.region().getRegionInfo().getEncodedName();
      Path file = new Path("/older/" + region + "/hfile.index.01234567.ifile");
      fs().create(file).close();
      try (ServerDirectory d = directory("/older")) {
        d.ensureLocked();
        d.sweep(r -> false, r -> r, 0, new RegionSweep.Terms(0, 0), true);
      }
      assertThat(fs().exists(file)).isTrue();
      assertThat(DirectoryMark.read(fs(), new Path("/older"))).isPresent();
    }
  }

  /** In another user's directory HDFS would let that user exchange every file. */
  @Test
  void anotherUsersDirectoryIsRefused() throws IOException {
    fs().mkdirs(new Path("/eves"));
    fs().setOwner(new Path("/eves"), "eve", "eve");
    refused("/eves", "it belongs to eve", ServerDirectory.ROOT);
    assertThat(fs().listStatus(new Path("/eves"))).isEmpty();
  }

  @Test
  void onlyTheServersReadIndexFiles() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      t.price("a", 5);
      t.flushAndIndex();
      String region = t.region().getRegionInfo().getEncodedName();
      for (Path p : List.of(ROOT, new Path(ROOT, region))) {
        assertThat(fs().getFileStatus(p).getPermission().toShort()).isEqualTo((short) 0700);
      }
      FileStatus[] files = fs().listStatus(new Path(ROOT, region));
      assertThat(files).isNotEmpty().allMatch(f -> f.getPermission().toShort() == (short) 0600);
    }
    Path older = new Path("/open");
    fs().mkdirs(older);
    try (ServerDirectory d = directory(older.toString())) {
      d.ensureLocked();
      assertThat(fs().getFileStatus(older).getPermission().toShort()).isEqualTo((short) 0700);
    }
  }

  /** A server with a wrong root keeps no index files, says so, and answers. */
  @Test
  void aServerWithAWrongRootWorks() throws Exception {
    Configuration conf = cluster.util().getMiniHBaseCluster().getConfiguration();
    conf.set(ServerDirectory.ROOT, "/");
    RegionServerThread wrong =
        cluster.util().getMiniHBaseCluster().startRegionServerAndWait(30_000);
    ServerName server = wrong.getRegionServer().getServerName();
    Awaitility.await("the master to know the server")
        .until(() -> cluster.admin().getRegionServers().contains(server));
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      // The master may take another server while it does not count on a new one.
      Awaitility.await("the region to be there")
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(500))
          .ignoreExceptions()
          .until(() -> isOn(t, server) || isMovedTo(t, server));
      t.price("a", 5);
      Regions.flush(cluster, t.name());
      Awaitility.await("the status to say why")
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  Regions.status(cluster, t.name())
                      .get(0)
                      .indexes()
                      .get(0)
                      .lastError()
                      .contains("HBase's own directory"));
      assertThat(t.agreed(column("price").lt(10))).containsExactly("a");
    } finally {
      conf.set(ServerDirectory.ROOT, ROOT.toString());
      wrong.getRegionServer().stop("the test is over");
      wrong.join(30_000);
    }
  }

  private static boolean isMovedTo(IndexedTableFixture t, ServerName server) throws IOException {
    cluster.admin().move(t.region().getRegionInfo().getEncodedNameAsBytes(), server);
    return isOn(t, server);
  }

  private static boolean isOn(IndexedTableFixture t, ServerName server) {
    return cluster.regions(t.name()).size() == 1 && cluster.serverOf(t.region()).equals(server);
  }

  private static FileSystem fs() throws IOException {
    return cluster.util().getTestFileSystem();
  }

  private static Set<Integer> replications(String region) throws IOException {
    Set<Integer> found = new TreeSet<>();
    RemoteIterator<LocatedFileStatus> files = fs().listFiles(new Path(ROOT, region), true);
    while (files.hasNext()) {
      FileStatus f = files.next();
      found.add((int) f.getReplication());
    }
    return found;
  }

  private static void split(IndexedTableFixture t) throws Exception {
    cluster.admin().compactionSwitch(false, List.of());
    cluster
        .admin()
        .splitRegionAsync(t.region().getRegionInfo().getRegionName(), Bytes.toBytes("r30"))
        .get();
    Awaitility.await("two daughters")
        .atMost(Duration.ofSeconds(30))
        .until(() -> cluster.regions(t.name()).size() == 2);
  }
}
