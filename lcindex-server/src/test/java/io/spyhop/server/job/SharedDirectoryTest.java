package io.spyhop.server.job;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Index files on HDFS: a moved region finds its files where they are, nothing is fetched or built.
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
        .map(f -> f.header().ifile())
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
      assertThat(names(t)).hasSize(6).doesNotContainAnyElementsOf(built);
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
    }
    Awaitility.await("the files of the dropped table to go")
        .atMost(Duration.ofSeconds(60))
        .until(() -> !fs().exists(new Path(ROOT, region)));
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
