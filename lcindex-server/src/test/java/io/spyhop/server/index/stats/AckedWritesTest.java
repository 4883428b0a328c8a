package io.spyhop.server.index.stats;

import io.spyhop.server.testing.TestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writers and readers that have nothing but their clocks in common: no query misses a write that
 * was acknowledged to another client before it began. {@code scripts/pruning-soak} runs it for
 * longer.
 */
class AckedWritesTest {
  private static final Logger LOG = LoggerFactory.getLogger(AckedWritesTest.class);

  @Test
  void noAcknowledgedWriteIsMissed() throws Exception {
    run(3, 3, Duration.ofSeconds(8));
  }

  @Tag("soak")
  @Test
  void forLong() throws Exception {
    run(
        Integer.getInteger("spyhop.writers", 8),
        Integer.getInteger("spyhop.readers", 8),
        Duration.ofSeconds(Integer.getInteger("spyhop.seconds", 600)));
  }

  private static void run(int writers, int readers, Duration time) throws Exception {
    try (AckedWrites test = new AckedWrites(TestCluster.get())) {
      test.run(writers, readers, time);
      LOG.warn("Acknowledged writes: {}", test.report());
    }
  }
}
