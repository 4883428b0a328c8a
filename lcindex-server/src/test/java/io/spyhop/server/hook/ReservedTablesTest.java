package io.spyhop.server.hook;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.EntryRemoval;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.Question.Place;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos.AccessControlService;
import org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos.CheckPermissionsRequest;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A user with every right that HBase grants to a namespace, or to everything, who is no superuser
 * neither reads nor writes index tables; what Spyhop does there for its users goes on.
 */
class ReservedTablesTest {
  private static final String REFUSED = "it holds a global index and is for the servers' own user";

  private static TestCluster cluster;
  private static GlobalFixture table;
  private static User stranger;
  private static User administrator;
  private static User reader;

  @BeforeAll
  static void start() throws Exception {
    cluster = Secured.start(1, "", "", conf -> conf.setLong("spyhop.global.grace.ms", 3_000));
    table = new GlobalFixture(cluster, f -> f, d -> d);
    table.awaitBuilt();
    table.write(put("a", 1, 100), put("b", 2, 100), put("c", 3, 100));
    stranger = Secured.user(cluster, "stranger");
    administrator = Secured.user(cluster, "administrator");
    reader = Secured.user(cluster, "reader");
    Action[] all = Action.values();
    Secured.eventually(
        "grants",
        () -> {
          AccessControlClient.grant(cluster.connection(), "default", "stranger", all);
          AccessControlClient.grant(cluster.connection(), "administrator", all);
          AccessControlClient.grant(
              cluster.connection(), table.name(), "reader", null, null, Action.READ);
        });
    for (User user : List.of(stranger, administrator, reader)) {
      Secured.eventually("the grants of " + user, () -> scan(user));
    }
  }

  private static void scan(User user) throws Exception {
    assertThat(Secured.agreed(cluster, user, table.name(), new Scan())).isNotEmpty();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** HBase lets only those send edits as a peer who may write everything. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATE")
  void whoeverMayEverythingInTheNamespaceIsRefused(IndexTableWays way) throws Exception {
    refused(stranger, way);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "PUT", "REPLICATE", "ALTER", "SNAPSHOT"})
  void administratorsAreRefused(IndexTableWays way) throws Exception {
    refused(administrator, way);
  }

  private static void refused(User user, IndexTableWays way) throws Exception {
    byte[] row = table.indexRow("b", 2);
    SortedSet<String> before = table.entries();
    assertThatThrownBy(
            () ->
                Secured.as(
                    cluster,
                    user,
                    table.indexName(),
                    (c, index) -> {
                      way.go(c, index, row);
                      return null;
                    }))
        .hasMessageContaining(REFUSED)
        .hasStackTraceContaining("AccessDeniedException");
    assertThat(table.entries()).isEqualTo(before);
  }

  /** Such services read and write regions without a hook. */
  @Test
  void servicesOfOthersAreRefused() {
    assertThatThrownBy(
            () ->
                Secured.as(
                    cluster,
                    stranger,
                    table.indexName(),
                    (c, index) ->
                        AccessControlService.newBlockingStub(
                                index.coprocessorService(new byte[] {0x01}))
                            .checkPermissions(null, CheckPermissionsRequest.getDefaultInstance())))
        .hasStackTraceContaining(REFUSED);
  }

  static Stream<Question> questionsOfServers() {
    return Arrays.stream(Question.values())
        .filter(Question::isForServers)
        .filter(q -> q.place() == Place.INDEX_REGION || q.place() == Place.BASE_REGION);
  }

  /** What servers ask each other is done as they say, without a look at the base table's rows. */
  @ParameterizedTest
  @MethodSource("questionsOfServers")
  void questionsOfServersAreRefused(Question question) throws Exception {
    boolean forward = question == Question.FORWARD;
    byte[] row = forward ? Bytes.toBytes("a") : table.indexRow("a", 1);
    byte[] payload = payload(question);
    SortedSet<String> before = table.entries();
    assertThatThrownBy(
            () ->
                Secured.as(
                    cluster,
                    stranger,
                    forward ? table.name() : table.indexName(),
                    (c, t) -> ServerCalls.ask(t.coprocessorService(row), question, payload)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("for region servers, not for user stranger");
    assertThat(table.entries()).isEqualTo(before);
  }

  /** What would be done. */
  private static byte[] payload(Question question) throws IOException {
    Entry entry = table.page(1).entries().get(0);
    byte[] clock = table.ask(entry.indexRow(), Question.CLOCK, new byte[0]);
    ServerTime fence = ServerTime.decode(clock).plus(Duration.ofMinutes(1).toNanos());
    Entry other = new Entry(entry.valueKey(), Bytes.toBytes("other"), entry.timestamp());
    return switch (question) {
      case WRITE -> EntryBatch.encode(List.of(other.put(false)));
      case REMOVE -> new EntryRemoval(fence, List.of(entry)).encode();
      case FORWARD -> new EntryList("v", table.definition().incarnation(), List.of(entry)).encode();
      default -> new byte[0];
    };
  }

  @Test
  void replicasRefuse() throws Exception {
    cluster
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(table.indexName()))
                .setRegionReplication(2)
                .build());
    Secured.eventually("the replica", () -> replica(User.getCurrent()));
    assertThatThrownBy(() -> replica(stranger)).hasMessageContaining(REFUSED);
  }

  private static Result replica(User user) throws Exception {
    Get get = new Get(table.indexRow("b", 2)).setConsistency(Consistency.TIMELINE).setReplicaId(1);
    return Secured.as(cluster, user, table.indexName(), (c, index) -> index.get(get));
  }

  /** A superuser may; what was taken is not for others. */
  @Test
  void snapshotsAreNotClonedByOthers() throws Exception {
    cluster.admin().snapshot("superusers", table.indexName());
    assertThatThrownBy(
            () ->
                Secured.as(
                    cluster,
                    administrator,
                    table.name(),
                    (c, t) -> {
                      c.getAdmin().cloneSnapshot("superusers", TableName.valueOf("copied"));
                      return null;
                    }))
        .hasMessageContaining(REFUSED);
    assertThat(cluster.admin().tableExists(TableName.valueOf("copied"))).isFalse();
  }

  @Test
  void readersAreAnsweredThroughTheIndex() throws Exception {
    QueryPlan plan =
        with(reader, spyhop -> spyhop.table(table.name()).explainAnalyze(Query.where("v = 2")));
    assertThat(plan.driving()).as(plan.toText()).isEqualTo("v");
    assertThat(Secured.queried(cluster, reader, table.name(), q -> q, "v = 2"))
        .containsExactly("b/v@100");
  }

  /** HBase shows a table's definitions only to who may change it. */
  @Test
  void entriesAreVerifiedAndRepairedForOwners() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 1, 100), put("b", 2, 100));
      User owner = Secured.user(cluster, "owner");
      Secured.eventually(
          "a grant",
          () ->
              AccessControlClient.grant(
                  cluster.connection(), t.name(), "owner", null, null, Action.READ, Action.CREATE));
      Secured.eventually("the grant", () -> verify(owner, t, false));
      EntriesByHand.delete(cluster, t.indexName(), List.of(new Delete(t.indexRow("a", 1))));
      try (Table index = cluster.connection().getTable(t.indexName())) {
        index.put(
            new Put(t.indexRow("x", 9))
                .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, new byte[0]));
      }
      VerifyReport found = verify(owner, t, true);
      assertThat(found.missing()).isEqualTo(1);
      assertThat(found.dangling()).isEqualTo(1);
      await("the repair")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(t.entries()).isEqualTo(t.expected()));
      assertThat(verify(owner, t, false).isClean()).isTrue();
    }
  }

  private static VerifyReport verify(User user, GlobalFixture t, boolean repair) throws Exception {
    return with(user, spyhop -> spyhop.admin().verify(t.name(), "v", repair));
  }

  /** All entries are looked at once more after the base table was emptied. */
  @Test
  void indexesFollowTheirTables() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 1, 100), put("b", 2, 100));
      cluster.admin().snapshot("base" + t.name(), t.name());
      t.write(put("c", 3, 100));
      cluster.admin().disableTable(t.name());
      cluster.admin().restoreSnapshot("base" + t.name());
      cluster.admin().enableTable(t.name());
      t.awaitBuilt();
      await("the entries of rows that are gone to be deleted")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(t.entries()).isEqualTo(t.expected()).hasSize(2);
              });
    }
  }

  /** An operation with Spyhop. */
  private interface Work<T> {
    T with(Spyhop spyhop) throws Exception;
  }

  private static <T> T with(User user, Work<T> work) throws Exception {
    return Secured.as(
        cluster,
        user,
        table.name(),
        (c, t) -> {
          try (Spyhop spyhop = Spyhop.connect(c)) {
            return work.with(spyhop);
          }
        });
  }
}
