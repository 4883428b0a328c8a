package io.spyhop.server.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Damage to files of every kind, in a JVM with little memory and with the option that HBase gives
 * its servers: a length that is believed before it is checked kills it. {@code scripts/damage} runs
 * it for longer.
 */
class DamageTest {
  private static final Logger LOG = LoggerFactory.getLogger(DamageTest.class);

  @TempDir Path dir;

  @Test
  void noDamageIsReadOrDeadly() throws Exception {
    String seed = System.getProperty("spyhop.seed", "1");
    String count = System.getProperty("spyhop.damages", "1000");
    Path output = dir.resolve("output");
    Process process = start(output, seed, count);
    try {
      assertThat(process.waitFor(60, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    LOG.warn("{}", said);
    assertThat(process.exitValue()).as("exit status; it said: %s", said).isZero();
    assertThat(said).contains("damages noticed: ");
  }

  private static Process start(Path output, String seed, String count) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:OnOutOfMemoryError=kill -9 %p",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=damage-log4j.properties",
                "-cp",
                System.getProperty("java.class.path"),
                DamageRun.class.getName(),
                seed,
                count))
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
