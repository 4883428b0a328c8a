package io.spyhop.server.crash;

import io.spyhop.core.schema.IndexKind;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills of region servers in processes of their own: {@code scripts/kill-loop}. Properties: {@code
 * spyhop.kills}, {@code spyhop.seed}, {@code spyhop.kind} (local, global or buckets). Not part of
 * an ordinary run.
 */
@Tag("soak")
class KillLoopTest {
  private static final Logger LOG = LoggerFactory.getLogger(KillLoopTest.class);

  @Test
  void manyKills() throws Exception {
    String asked = System.getProperty("spyhop.kind", "local").toUpperCase(Locale.ROOT);
    boolean buckets = asked.equals("BUCKETS");
    IndexKind kind = buckets ? IndexKind.LOCAL : IndexKind.valueOf(asked);
    try (KillLoop loop = new KillLoop(Long.getLong("spyhop.seed", 1), kind, buckets)) {
      loop.run(Integer.getInteger("spyhop.kills", 20));
      LOG.warn("{}", loop.report());
    }
  }
}
