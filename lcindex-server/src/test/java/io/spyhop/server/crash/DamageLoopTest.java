package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Damaged index files of servers in processes of their own: {@code scripts/damage}. Properties:
 * {@code spyhop.rounds}, {@code spyhop.seed}. Not part of an ordinary run.
 */
@Tag("soak")
class DamageLoopTest {
  private static final Logger LOG = LoggerFactory.getLogger(DamageLoopTest.class);

  @Test
  void manyDamages() throws Exception {
    try (DamageLoop loop = new DamageLoop(Long.getLong("spyhop.seed", 1))) {
      loop.run(Integer.getInteger("spyhop.rounds", 20));
      LOG.warn("{} index files damaged", loop.damages());
      assertThat(loop.damages()).isPositive();
    }
  }
}
