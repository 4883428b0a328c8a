package io.spyhop.server.hook;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** A table whose descriptor names the observer that its regions have anyway. */
class TwiceLoadedTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  @Test
  void oneOfTwoObserversWorks() throws Exception {
    try (IndexedTableFixture t =
        new IndexedTableFixture(CLUSTER, f -> f, d -> also(d, SpyhopRegion.class))) {
      assertThat(SpyhopRegion.observersOf(t.region())).hasSize(2);
      for (int i = 0; i < 100; i++) {
        t.price("r" + i, i % 10);
      }
      t.flushAndIndex();
      t.price("r7", 3.0);
      assertThat(t.agreed(column("price").between(7.0, 7.0))).hasSize(9);
      assertThat(t.agreed(column("price").between(3.0, 3.0))).hasSize(11);
    }
  }

  private static TableDescriptorBuilder also(TableDescriptorBuilder table, Class<?> observer) {
    try {
      return table.setCoprocessor(observer.getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
