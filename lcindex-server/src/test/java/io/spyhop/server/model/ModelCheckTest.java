package io.spyhop.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.TestCluster;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The model check: one fixed history and one of a random seed, which {@code -Dspyhop.seed} and
 * {@code -Dspyhop.steps} set; {@code -Dspyhop.seeds=N} runs N seeds from there, {@code
 * -Dspyhop.cluster=small|shared|secured} runs them on another cluster than the tests' own.
 */
class ModelCheckTest {
  private static final int STEPS = Integer.getInteger("spyhop.steps", 300);

  @Test
  void fixedHistory() throws Exception {
    new ModelCheck(TestCluster.get(), 42).run(ModelCheck.history(42, STEPS));
  }

  @Test
  void randomHistories() throws Exception {
    TestCluster cluster = ModelClusters.asked().start();
    long first = Long.getLong("spyhop.seed", new Random().nextInt(1_000_000));
    int seeds = Integer.getInteger("spyhop.seeds", 1);
    for (long seed = first; seed < first + seeds; seed++) {
      long counted = cluster.indexedQueries();
      new ModelCheck(cluster, seed).run(ModelCheck.history(seed, STEPS));
      assertThat(cluster.indexedQueries() - counted)
          .as("queries answered from an index with seed %d", seed)
          .isGreaterThan(STEPS);
    }
  }
}
