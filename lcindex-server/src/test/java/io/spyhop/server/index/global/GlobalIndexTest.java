package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.Test;

/** An index that is built names writes that are refused for its sake. */
class GlobalIndexTest {
  private final GlobalIndex index =
      new GlobalIndex(
          IndexDefinition.builder("v")
              .kind(IndexKind.GLOBAL)
              .column("f:v")
              .type(ValueType.LONG)
              .build(),
          TableName.valueOf("_spyhop.t.v"),
          true);

  private String error() {
    return index.state(0, 0, 0).lastError();
  }

  @Test
  void refusedWritesAreSaidUntilOneIsMade() {
    index.built();
    assertThat(error()).isEmpty();
    index.unwritten(new IOException("region is read only"));
    assertThat(error())
        .contains("writes of the base table are refused")
        .contains("_spyhop.t.v")
        .contains("region is read only");
    index.written();
    assertThat(error()).isEmpty();
  }

  /** However many fail meanwhile. */
  @Test
  void refusedWritesAreLookedAtOnceASecond() {
    AtomicLong clock = new AtomicLong(1_000_000);
    EnvironmentEdgeManager.injectEdge(clock::get);
    try {
      int looks = 0;
      for (int i = 0; i < 50; i++) {
        looks += index.isNewlyDoubted() ? 1 : 0;
        clock.addAndGet(100);
      }
      assertThat(looks).isEqualTo(5);
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }
}
