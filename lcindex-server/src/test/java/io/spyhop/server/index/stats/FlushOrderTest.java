package io.spyhop.server.index.stats;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.prune.ScanState;
import io.spyhop.server.testing.TestCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Correctness rule 21: what a flush writes counts as the memstore's until the store has the HFile.
 * Dropped when the file is written, it would be nobody's for a moment.
 */
class FlushOrderTest {
  private static final Predicate A5 = column("a").eq(5);
  private static final String ENGINE = "hbase.hstore.engine.class";

  @Test
  void betweenTheFileAndTheStoreTheMemstoreTells() throws Exception {
    List<ScanState> between = new CopyOnWriteArrayList<>();
    try (StatisticsTable t =
        new StatisticsTable(
            TestCluster.get(), f -> f, o -> o.setValue(ENGINE, WatchedEngine.class.getName()))) {
      t.write("r1", 5, 1);
      assertThat(t.decide(A5)).isEqualTo(ScanState.RSM);
      WatchedEngine.BEFORE.put(t.name(), () -> between.add(t.decide(A5)));
      t.flush();
      WatchedEngine.BEFORE.remove(t.name());
      assertThat(between).containsExactly(ScanState.RSM);
      assertThat(t.decide(A5)).isEqualTo(ScanState.RS);
    }
  }
}
