package io.spyhop.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The model check: one fixed history and one of a random seed, which {@code -Dspyhop.seed} and
 * {@code -Dspyhop.steps} set; {@code -Dspyhop.seeds=N} runs N seeds from there.
 */
class ModelCheckTest {
  private static final int STEPS = Integer.getInteger("spyhop.steps", 300);

  @Test
  void fixedHistory() throws IOException {
    new ModelCheck(TestCluster.get(), 42).run(ModelCheck.history(42, STEPS));
  }

  @Test
  void randomHistories() throws IOException {
    long first = Long.getLong("spyhop.seed", new Random().nextInt(1_000_000));
    int seeds = Integer.getInteger("spyhop.seeds", 1);
    for (long seed = first; seed < first + seeds; seed++) {
      long counted = TestCluster.get().indexedQueries();
      new ModelCheck(TestCluster.get(), seed).run(ModelCheck.history(seed, STEPS));
      assertThat(TestCluster.get().indexedQueries() - counted)
          .as("queries answered from an index with seed %d", seed)
          .isGreaterThan(STEPS);
    }
  }
}
