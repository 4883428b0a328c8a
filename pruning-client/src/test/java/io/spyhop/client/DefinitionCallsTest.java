package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.admin.DefinitionCalls;
import io.spyhop.client.internal.admin.LastKnown.Asker;
import io.spyhop.client.internal.admin.VirtualTime;
import io.spyhop.core.protocol.TableDefinitions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefinitionCallsTest {
  private final FakeCluster cluster = new FakeCluster();
  private final VirtualTime time = new VirtualTime();
  private final List<Long> sent = new ArrayList<>();
  private final DefinitionCalls calls =
      new DefinitionCalls(cluster.connection(), FakeCluster.TABLE, time::nanos);

  @BeforeEach
  void declare() {
    cluster.descriptor =
        IndexSchema.withIndex(
            cluster.descriptor,
            IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build());
  }

  private static IOException silent() {
    return new SocketTimeoutException("no answer");
  }

  private static IOException tooNew() {
    return new IOException(new CorruptFrameException("region request: No enum constant"));
  }

  private void assertTold() throws IOException {
    TableDefinitions told = calls.ask(Asker.FIRST, () -> sent.add(time.nanos()));
    assertThat(told.indexes().index("price")).isPresent();
  }

  @Test
  void anyServerMayBeOfTheVersionBefore() throws IOException {
    cluster.silence = region -> region.isEmpty() ? silent() : tooNew();
    assertTold();
    assertThat(cluster.definitionGets).hasSize(3);
  }

  /** As for a user who may read and not change the table. */
  private void masterRefuses() {
    cluster.adminMethods =
        Map.of(
            "getDescriptor",
            (p, m, a) -> {
              throw new AccessDeniedException("Insufficient permissions");
            });
  }

  @Test
  void oneRegionThatKnowsIsEnough() throws IOException {
    masterRefuses();
    cluster.silence = region -> region.equals("g") ? tooNew() : null;
    cluster.ignorant = Set.of("");
    assertTold();
    assertThat(cluster.definitionGets).startsWith("").endsWith("p");
    cluster.definitionGets.clear();
    assertTold();
    assertThat(cluster.definitionGets).as("the region that answered").containsExactly("p");
  }

  @Test
  void saysThatNobodyTells() {
    masterRefuses();
    cluster.ignorant = Set.of("", "g", "p");
    assertThatThrownBy(() -> calls.ask(Asker.FIRST, () -> {}))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageStartingWith("no region of table 'orders' tells which columns")
        .hasMessageEndingWith("Insufficient permissions");
  }

  @Test
  void aSilentRegionIsWaitedForWhereNobodyElseTells() throws IOException {
    masterRefuses();
    cluster.silence =
        region -> region.equals("g") && cluster.definitionGets.size() < 4 ? silent() : null;
    cluster.ignorant = Set.of("", "p");
    assertTold();
    assertThat(cluster.definitionGets).hasSize(4).startsWith("").endsWith("g");
  }

  @Test
  void aServerThatIsOfTheVersionBeforeMayAnswerLate() throws IOException {
    cluster.silence = region -> cluster.definitionGets.size() > 3 ? tooNew() : silent();
    assertTold();
    assertThat(cluster.definitionGets).hasSize(4).startsWith("").endsWith("");
  }

  @Test
  void nobodyIsWaitedForBesideQueries() {
    cluster.silence = region -> silent();
    assertThatThrownBy(() -> calls.ask(Asker.BESIDE, () -> {})).hasMessage("no answer");
    assertThat(cluster.definitionGets).as("each once").hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void theRegionThatAnsweredLastIsAskedFirst() throws IOException {
    cluster.silence =
        region -> {
          time.pass(Duration.ofSeconds(3));
          return region.isEmpty() ? silent() : null;
        };
    assertTold();
    assertThat(sent).as("each question's sending").hasSize(2);
    String answering = cluster.definitionGets.poll() + cluster.definitionGets.poll();
    assertTold();
    assertThat(cluster.definitionGets).containsExactly(answering).doesNotContain("");
    cluster.definitionGets.clear();
    cluster.silence = region -> region.isEmpty() ? null : silent();
    assertTold();
    assertThat(cluster.definitionGets).startsWith(answering).endsWith("");
  }

  @Test
  void serversThatDoNotKnowTheQuestionAreNotAskedForAMinute() throws IOException {
    cluster.silence = region -> tooNew();
    assertTold();
    assertTold();
    time.pass(Duration.ofSeconds(59));
    assertTold();
    assertThat(cluster.definitionGets).hasSize(3);
    time.pass(Duration.ofSeconds(2));
    assertTold();
    assertThat(cluster.definitionGets).hasSize(6);
  }
}
