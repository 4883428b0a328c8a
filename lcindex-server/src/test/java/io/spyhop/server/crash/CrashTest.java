package io.spyhop.server.crash;

import org.junit.jupiter.api.Test;

/** One server dies while it builds index files; {@link KillLoopTest} kills many. */
class CrashTest {
  @Test
  void serverKilledWhileItBuilds() throws Exception {
    try (KillLoop loop = new KillLoop(1)) {
      loop.run(1);
      System.out.println(loop.report());
    }
  }
}
