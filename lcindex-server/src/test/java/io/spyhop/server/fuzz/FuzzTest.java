package io.spyhop.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Correctness rule 35, for every decoder: no message makes it fail otherwise than documented, or
 * allocate out of proportion. {@code scripts/fuzz} runs it for longer.
 */
class FuzzTest {
  private static final Logger LOG = LoggerFactory.getLogger(FuzzTest.class);

  @Test
  void everyMessageIsReadOrRefused() {
    long seed = Long.getLong("spyhop.seed", 1);
    long inputs = Long.getLong("spyhop.inputs", 100_000);
    Fuzzer fuzzer = new Fuzzer(Decoders.all(), seed);
    fuzzer.readSeeds();
    long start = System.nanoTime();
    fuzzer.run(inputs);
    LOG.warn("seed {}: {} inputs in {} ms", seed, inputs, (System.nanoTime() - start) / 1_000_000);
    fuzzer.tallies().forEach((name, tally) -> LOG.warn("{}: {}", name, tally));
    assertThat(fuzzer.findings()).as("seed %s", seed).isEmpty();
  }
}
