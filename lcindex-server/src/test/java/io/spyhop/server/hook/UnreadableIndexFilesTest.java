package io.spyhop.server.hook;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.FaultyFileSystem;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Index files that cannot be opened for a while are whole: they stay, and are used again. */
class UnreadableIndexFilesTest {
  private static final Predicate SOME = column("price").between(3, 9);

  private static final Path ROOT = new Path("/spyhop-index");
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            2,
            conf -> {
              FaultyFileSystem.use(conf);
              conf.set("spyhop.ifile.dir", ROOT.toString());
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void heal() {
    FaultyFileSystem.failOn(null);
  }

  private static IndexedTableFixture filled() throws IOException {
    IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f);
    for (int i = 0; i < 200; i++) {
      t.price("r" + i, i);
    }
    t.flushAndIndex();
    return t;
  }

  private static Set<String> files(IndexedTableFixture t) throws IOException {
    Path region = new Path(ROOT, t.region().getRegionInfo().getEncodedName());
    Set<String> names = new TreeSet<>();
    for (FileStatus s : cluster.util().getTestFileSystem().listStatus(region)) {
      names.add(s.getPath().toString());
    }
    return names;
  }

  private static long count(Fallback why) {
    return cluster.sum(m -> m.fallbacks(why));
  }

  @Test
  void aQueryGoesOnAsAScanAndTheFileStays() throws IOException {
    try (IndexedTableFixture t = filled()) {
      Set<String> before = files(t);
      long damaged = count(Fallback.DAMAGED);
      FaultyFileSystem.failOn(".ifile");
      List<String> plain = t.rows(SOME, "scan");
      for (int i = 0; i < 2; i++) {
        long unreadable = count(Fallback.UNREADABLE);
        assertThat(t.rows(SOME, "price")).isEqualTo(plain).hasSize(7);
        assertThat(count(Fallback.UNREADABLE)).isEqualTo(unreadable + 1);
      }
      FaultyFileSystem.failOn(null);
      long indexed = cluster.indexedQueries();
      long unreadable = count(Fallback.UNREADABLE);
      assertThat(t.rows(SOME, "price")).isEqualTo(plain);
      assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
      assertThat(count(Fallback.UNREADABLE)).isEqualTo(unreadable);
      assertThat(count(Fallback.DAMAGED)).isEqualTo(damaged);
      assertThat(files(t)).isEqualTo(before);
    }
  }

  @Test
  void aRegionThatOpensMeanwhileKeepsItsFiles() throws IOException {
    try (IndexedTableFixture t = filled()) {
      Set<String> before = files(t);
      FaultyFileSystem.failOn(".sfile");
      Regions.move(cluster, t.name());
      long failed = FaultyFileSystem.failed();
      await("the region to try again and again to read what it has")
          .atMost(Duration.ofSeconds(30))
          .until(() -> FaultyFileSystem.failed() > failed + 2);
      assertThat(t.agreed(SOME)).hasSize(7);
      FaultyFileSystem.failOn(null);
      Regions.awaitCovered(cluster, t.name());
      assertThat(files(t)).isEqualTo(before);
      long indexed = cluster.indexedQueries();
      assertThat(t.rows(SOME, "price")).hasSize(7);
      assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
    }
  }

  @Test
  void whatIsDamagedIsBuiltAgain() throws IOException {
    try (IndexedTableFixture t = filled()) {
      Set<String> before = files(t);
      long damaged = count(Fallback.DAMAGED);
      for (String file : before) {
        if (file.endsWith(".ifile")) {
          try (OutputStream out = cluster.util().getTestFileSystem().create(new Path(file))) {
            out.write(new byte[100]);
          }
        }
      }
      List<String> plain = t.rows(SOME, "scan");
      assertThat(t.rows(SOME, "price")).isEqualTo(plain).hasSize(7);
      assertThat(count(Fallback.DAMAGED)).isEqualTo(damaged + 1);
      await("other files in its place")
          .atMost(Duration.ofSeconds(30))
          .until(() -> files(t).size() == before.size() && !files(t).equals(before));
      assertThat(t.rows(SOME, "price")).isEqualTo(plain);
    }
  }
}
