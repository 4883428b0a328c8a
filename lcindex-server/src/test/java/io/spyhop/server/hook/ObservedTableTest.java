package io.spyhop.server.hook;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.constraint.ConstraintProcessor;
import org.apache.hadoop.hbase.security.User;
import org.example.QuietObserver;
import org.junit.jupiter.api.Test;

/** A coprocessor of one base table, which its index table's regions do not have. */
class ObservedTableTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final String OPEN = "answered";

  @Test
  void unknownOnesCloseTheIndexAndHarmlessOnesDoNot() throws Exception {
    User anybody = Secured.user(CLUSTER, "anybody");
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 1, 100));
      TableDescriptor plain = CLUSTER.admin().getDescriptor(t.name());
      assertThat(built(t, anybody)).isEqualTo(OPEN);

      with(plain, ConstraintProcessor.class);
      t.awaitBuilt();
      assertThat(built(t, anybody)).isEqualTo(OPEN);

      with(plain, QuietObserver.class);
      await("the index to be closed")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(built(t, anybody)).contains("spyhop: cannot serve"));
      assertThat(t.built()).as("for superusers").isNotNull();

      CLUSTER.admin().modifyTable(plain);
      await("the index to be open")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(built(t, anybody)).isEqualTo(OPEN));
    }
  }

  private static void with(TableDescriptor plain, Class<?> coprocessor) throws IOException {
    CLUSTER
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(plain).setCoprocessor(coprocessor.getName()).build());
  }

  private static String built(GlobalFixture t, User user) throws Exception {
    byte[] incarnation =
        Long.toString(t.definition().incarnation()).getBytes(StandardCharsets.US_ASCII);
    return Secured.as(
        CLUSTER,
        user,
        t.indexName(),
        (c, index) -> {
          try {
            ServerCalls.ask(index.coprocessorService(new byte[1]), Question.BUILT, incarnation);
            return OPEN;
          } catch (IOException e) {
            return e.getMessage();
          }
        });
  }
}
