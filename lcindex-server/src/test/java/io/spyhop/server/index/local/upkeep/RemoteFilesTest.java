package io.spyhop.server.index.local.upkeep;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Index files that exist already are not built again: moved regions, daughters, clones. */
class RemoteFilesTest {
  private final TestCluster cluster = TestCluster.get();

  private static void fill(IndexedTableFixture t) throws IOException {
    for (int i = 0; i < 60; i++) {
      t.price(String.format("r%02d", i), i % 10);
    }
    t.flushAndIndex();
  }

  /** How many files an HFile has: of each index, and of the rows. */
  private static int each(Layout layout) {
    return layout == Layout.COLUMNAR ? 4 : 3;
  }

  private long fetched() {
    return cluster.sum(m -> m.fetchedFiles);
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void aMovedRegionFetchesItsFiles(Layout layout) throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, layout, f -> f)) {
      fill(t);
      long before = fetched();
      Regions.move(cluster, t.name());
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
      Regions.awaitCovered(cluster, t.name());
      assertThat(fetched() - before).isEqualTo(each(layout));
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
    }
  }

  /** The files of an encrypted family travel and are read with the family's key. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void encryptedFilesTravel(Layout layout) throws IOException {
    try (IndexedTableFixture t =
        new IndexedTableFixture(cluster, layout, f -> f.setEncryptionType("AES"))) {
      fill(t);
      long before = fetched();
      Regions.move(cluster, t.name());
      Regions.awaitCovered(cluster, t.name());
      assertThat(fetched() - before).isEqualTo(each(layout));
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void daughtersReadTheirParentsFiles(Layout layout) throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture(cluster, layout, f -> f)) {
      fill(t);
      cluster.admin().compactionSwitch(false, List.of());
      try {
        cluster
            .admin()
            .splitRegionAsync(t.region().getRegionInfo().getRegionName(), Bytes.toBytes("r30"))
            .get();
        Awaitility.await("two daughters")
            .atMost(Duration.ofSeconds(30))
            .until(() -> cluster.regions(t.name()).size() == 2);
        assertThat(t.agreed(column("price").eq(3))).hasSize(6);
        Awaitility.await("the daughters to have index files")
            .atMost(Duration.ofSeconds(30))
            .until(() -> files(t).size() == 2 * each(layout));
        assertThat(files(t)).noneMatch(IndexFile::isOwned);
        assertThat(t.agreed(column("price").eq(3))).hasSize(6);
        assertThat(t.agreed(column("price").between(3, 4))).hasSize(12);
      } finally {
        cluster.admin().compactionSwitch(true, List.of());
      }
      Regions.compact(cluster, t.name(), true);
      Regions.awaitCovered(cluster, t.name());
      assertThat(files(t)).hasSize(2 * each(layout)).allMatch(IndexFile::isOwned);
      assertThat(t.agreed(column("price").eq(3))).hasSize(6);
    }
  }

  private List<IndexFile> files(IndexedTableFixture t) {
    return cluster.regions(t.name()).stream().flatMap(r -> t.indexes(r).all().stream()).toList();
  }

  /** Index files hold whole rows: the endpoint is for the servers' user alone. */
  @Test
  void usersGetNoFiles() throws Exception {
    ServerName server = cluster.admin().getRegionServers().iterator().next();
    User user = User.createUserForTesting(cluster.util().getConfiguration(), "eve", new String[0]);
    for (Question question : List.of(Question.FILES, Question.CHUNK)) {
      assertThatThrownBy(
              () ->
                  user.runAs(
                      (java.security.PrivilegedExceptionAction<byte[]>)
                          () -> {
                            try (Connection c =
                                ConnectionFactory.createConnection(
                                    cluster.util().getConfiguration())) {
                              return ServerCalls.ask(
                                  c.getAdmin().coprocessorService(server), question, new byte[0]);
                            }
                          }))
          .hasMessageContaining("not for user eve");
    }
  }
}
