package io.spyhop.server.crash;

import io.spyhop.core.schema.IndexKind;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One server dies while it builds index files; {@link KillLoopTest} kills many. */
class CrashTest {
  private static final Logger LOG = LoggerFactory.getLogger(CrashTest.class);

  @Test
  void serverKilledWhileItBuilds() throws Exception {
    try (KillLoop loop = new KillLoop(1, IndexKind.LOCAL, false)) {
      loop.run(1);
      LOG.warn("{}", loop.report());
    }
  }
}
