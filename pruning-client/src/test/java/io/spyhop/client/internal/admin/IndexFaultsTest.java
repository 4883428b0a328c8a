package io.spyhop.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class IndexFaultsTest {
  private static final long NOW = TimeUnit.DAYS.toMillis(20_000);
  private static final IndexDefinition INDEX =
      IndexDefinition.builder("v")
          .kind(IndexKind.GLOBAL)
          .column("f:v")
          .type(ValueType.LONG)
          .build();

  private static IndexStatus.Global status(State state, int built, int repairs, long upTo) {
    IndexStatus.Build build = new IndexStatus.Build(0, 0, 0, Optional.empty());
    return new IndexStatus.Global(INDEX, state, 8, built, build, repairs, upTo, List.of());
  }

  private static List<String> faults(IndexStatus status) {
    return IndexFaults.of(TableName.valueOf("t"), status, NOW).stream().map(Trouble::what).toList();
  }

  @Test
  void noneOfAnIndexThatKeepsUp() {
    long late = NOW - TimeUnit.MINUTES.toMillis(60);
    assertThat(faults(status(State.ACTIVE, 8, 5, late))).isEmpty();
    assertThat(faults(status(State.ACTIVE, 8, 0, 0))).as("not known yet").isEmpty();
  }

  @Test
  void anIndexThatIsNotComplete() {
    assertThat(faults(status(State.BUILDING, 3, 0, NOW)))
        .containsExactly(
            "index 'v' is BUILDING, and queries do without it: 3 of 8 regions built, 0 rows read, 0.0 of 0.0 MB");
  }

  @Test
  void repairsThatLagBehind() {
    long late = NOW - TimeUnit.MINUTES.toMillis(61);
    assertThat(faults(status(State.ACTIVE, 8, 7, late)))
        .containsExactly("index 'v': its repairs lag 61 minutes behind, 7 are not done");
  }

  @Test
  void regionsWithoutIndexFilesAndErrors() {
    IndexStatus local =
        new IndexStatus.Local(
            IndexDefinition.builder("v").column("f:v").type(ValueType.LONG).build(),
            State.BUILDING,
            3,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            List.of("no room"));
    assertThat(faults(local))
        .containsExactly("index 'v': 2 of 3 regions do not serve it", "index 'v': no room");
  }
}
