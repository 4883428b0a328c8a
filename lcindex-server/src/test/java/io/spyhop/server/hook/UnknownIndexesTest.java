package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work owed to an index waits while it is unknown whether there still is one. */
class UnknownIndexesTest {
  @ParameterizedTest
  @EnumSource(
      value = Repair.class,
      names = {"STREAMING", "STAGED"})
  void whatIsOwedIsNotDropped(Repair repair) throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(repair)))) {
      t.put("r", "a", 1);
      t.flush();
      t.put("r", "b", 2);
      t.flush();
      t.unknown = true;
      t.compact(true);
      t.newServer(0);
      Regions.move(TestCluster.get(), t.name());
      t.hint(t.entry("r", "a", 1));
      for (int i = 0; i < 10; i++) {
        t.clock.addAndGet(60_000);
        t.drain();
      }
      assertThat(t.entries()).hasSize(2);
      assertThat(RepairedTable.repair(t.region()).waiting()).isEqualTo(2);
      assertThat(t.metrics.retries.getCount()).as("to wait is no failure").isZero();
      t.unknown = false;
      t.clock.addAndGet(60_000);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
      assertThat(RepairObserver.lists(t.region())).isEmpty();
    }
  }

  /** A flush cannot wait, and what it drops is in no file that could be read again. */
  @Test
  void flushesAreWatchedMeanwhile() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.unknown = true;
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.flush();
      t.drain();
      assertThat(t.entries()).hasSize(2);
      assertThat(t.metrics.lost.getCount()).isZero();
      t.unknown = false;
      t.clock.addAndGet(60_000);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }
}
