package io.spyhop.server.counting;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.RegionStatus.IndexState;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import org.junit.jupiter.api.Test;

/** A new kind of index is one package and one line of the list of kinds. */
class CountPartTest {
  @Test
  void anotherKindSeesWritesAndIsAskedBesideTheOthers() throws Exception {
    try (TestCluster cluster =
            TestCluster.start(
                1,
                conf ->
                    conf.set(
                        "hbase.coprocessor.regionserver.classes", CountingServer.class.getName()));
        IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      t.price("a", 1);
      t.price("b", 1);
      t.price(CountPart.POISON, 1);
      t.price("c", 1);
      Regions.flush(cluster, t.name());
      IndexState count =
          Regions.status(cluster, t.name()).get(0).indexes().stream()
              .filter(s -> s.index().equals(CountPart.NAME))
              .findFirst()
              .orElseThrow();
      assertThat(count.entries()).as("rows that were counted").isEqualTo(3);
      assertThat(count.undecodable()).as("writes that it threw at").isEqualTo(1);
      assertThat(t.agreed(column("price").eq(1)))
          .as("what is stored, the write that a part threw at included")
          .containsExactly("a", "b", "c", CountPart.POISON);
    }
  }
}
