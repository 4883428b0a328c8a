package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.protocol.PageRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code hbase.security.authorization} is on, and no coprocessor checks: a caller who is no
 * superuser does not get what only rights could give.
 */
class NobodyChecksTest {
  private static final byte[] NOTES = {0x00};
  private static final byte[] FIRST = {0x01};

  private static TestCluster cluster;
  private static GlobalFixture table;
  private static User stranger;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TestCluster.start(
            1, conf -> conf.setBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, true));
    table = new GlobalFixture(cluster, f -> f, d -> d);
    table.awaitBuilt();
    table.write(GlobalFixture.put("a", 1, 100));
    stranger = Secured.user(cluster, "stranger");
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void ask(TableName asked, byte[] row, Question question, byte[] payload)
      throws Exception {
    Secured.as(
        cluster,
        stranger,
        asked,
        (c, t) -> ServerCalls.ask(t.coprocessorService(row), question, payload));
  }

  private static byte[] incarnation() {
    return Long.toString(table.definition().incarnation()).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void entriesAreForSuperusers() throws Exception {
    byte[] page =
        new PageRequest(
                table.definition().incarnation(), FIRST, new byte[0], Long.MAX_VALUE, true, 9)
            .encode();
    assertThatThrownBy(() -> ask(table.indexName(), FIRST, Question.ENTRIES, page))
        .hasMessageContaining("spyhop: cannot serve");
    assertThatThrownBy(() -> ask(table.indexName(), NOTES, Question.BUILT, incarnation()))
        .hasMessageContaining("spyhop: cannot serve");
    assertThat(table.page(9).entries()).as("what a superuser gets").hasSize(1);
  }

  @Test
  void repairsAndTicketsAreForSuperusers() {
    assertThatCode(() -> ask(table.name(), FIRST, Question.MISSING, verify(false)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ask(table.name(), FIRST, Question.MISSING, verify(true)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("superusers");
    assertThatThrownBy(() -> ask(table.name(), FIRST, Question.TICKET, incarnation()))
        .isInstanceOf(AccessDeniedException.class);
  }

  private static byte[] verify(boolean repair) {
    return new VerifyRequest("v", table.definition().incarnation(), repair, FIRST, 9, List.of())
        .encode();
  }

  @Test
  void snapshotsAreRestoredBySuperusers() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(GlobalFixture.put("a", 1, 100));
      String snapshot = "s_" + t.name().getNameAsString();
      cluster.admin().snapshot(snapshot, t.name());
      cluster.admin().disableTable(t.name());
      assertThatThrownBy(
              () ->
                  Secured.as(
                      cluster,
                      stranger,
                      t.name(),
                      (c, own) -> {
                        c.getAdmin().restoreSnapshot(snapshot, false);
                        return null;
                      }))
          .hasStackTraceContaining("nobody here can tell who has that");
      cluster.admin().restoreSnapshot(snapshot, false);
      cluster.admin().enableTable(t.name());
      t.awaitBuilt();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      cluster.admin().deleteSnapshot(snapshot);
    }
  }
}
