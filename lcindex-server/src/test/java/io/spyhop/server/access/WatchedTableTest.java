package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.StandInAuthoriser;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One table has an authoriser of its own beside HBase's: what HBase has granted does not do there,
 * and its index's regions, which have none, know of it.
 */
class WatchedTableTest {
  private static final byte[] FIRST = {0x01};

  private static TestCluster cluster;
  private static User owner;

  @BeforeAll
  static void start() throws Exception {
    cluster = Secured.start("", "");
    owner = Secured.user(cluster, "owner");
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static GlobalFixture table() throws Exception {
    GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d);
    t.awaitBuilt();
    t.write(GlobalFixture.put("a", 1, 100));
    Secured.eventually(
        "a grant",
        () ->
            AccessControlClient.grant(
                cluster.connection(),
                t.name(),
                owner.getShortName(),
                null,
                null,
                Action.READ,
                Action.CREATE));
    Secured.eventually("the grant to be known", () -> page(t));
    return t;
  }

  private static void watch(GlobalFixture t) throws IOException {
    cluster
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(t.name()))
                .setCoprocessor(StandInAuthoriser.class.getName())
                .build());
  }

  private static void ask(TableName table, Question question, byte[] payload) throws Exception {
    Secured.as(
        cluster,
        owner,
        table,
        (c, t) -> ServerCalls.ask(t.coprocessorService(FIRST), question, payload));
  }

  private static void page(GlobalFixture t) throws Exception {
    byte[] page =
        new PageRequest(t.definition().incarnation(), FIRST, new byte[0], Long.MAX_VALUE, true, 9)
            .encode();
    ask(t.indexName(), Question.ENTRIES, page);
  }

  private static void verify(GlobalFixture t, boolean repair) throws Exception {
    byte[] request =
        new VerifyRequest("v", t.definition().incarnation(), repair, FIRST, 9, List.of()).encode();
    ask(t.name(), Question.MISSING, request);
  }

  @Test
  void grantsAloneDoNotRepair() throws Exception {
    try (GlobalFixture t = table()) {
      assertThatCode(() -> verify(t, true)).doesNotThrowAnyException();
      watch(t);
      Secured.eventually("the region to be open again", () -> verify(t, false));
      assertThatThrownBy(() -> verify(t, true))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("superusers");
    }
  }

  /** An index's region may go by what it has read of its base table for a while. */
  @Test
  void grantsAloneDoNotTellEntries() throws Exception {
    try (GlobalFixture t = table()) {
      assertThatCode(() -> page(t)).doesNotThrowAnyException();
      watch(t);
      Secured.eventually(
          "the index's region to know",
          () ->
              assertThatThrownBy(() -> page(t))
                  .isInstanceOf(IOException.class)
                  .hasMessageContaining("spyhop: cannot serve"));
    }
  }
}
