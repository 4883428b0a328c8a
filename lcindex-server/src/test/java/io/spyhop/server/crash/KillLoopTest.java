package io.spyhop.server.crash;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills of region servers in processes of their own: {@code scripts/kill-loop}. Properties: {@code
 * spyhop.kills}, {@code spyhop.seed}. Not part of an ordinary run.
 */
@Tag("soak")
class KillLoopTest {
  private static final Logger LOG = LoggerFactory.getLogger(KillLoopTest.class);

  @Test
  void manyKills() throws Exception {
    try (KillLoop loop = new KillLoop(Long.getLong("spyhop.seed", 1))) {
      loop.run(Integer.getInteger("spyhop.kills", 20));
      LOG.warn("{}", loop.report());
    }
  }
}
