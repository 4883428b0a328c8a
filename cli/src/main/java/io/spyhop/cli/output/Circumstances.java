package io.spyhop.cli.output;

import com.sun.management.OperatingSystemMXBean;
import io.spyhop.core.protocol.Release;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The time and the machine of a measurement, as results have them beside their figures.
 *
 * @param at in UTC, as ISO 8601 has it
 * @param release of Spyhop
 * @param processors that the JVM saw
 * @param memoryBytes of the machine
 * @param system name, version and architecture of the operating system
 * @param java version of the JVM
 */
record Circumstances(
    String at, String release, int processors, long memoryBytes, String system, String java) {
  private static final double GIGABYTE = 1e9;

  /** Those of this moment. */
  static Circumstances now() throws IOException {
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Circumstances(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        Release.version(),
        machine.getAvailableProcessors(),
        machine.getTotalMemorySize(),
        machine.getName() + " " + machine.getVersion() + " " + machine.getArch(),
        Runtime.version().toString());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "measured %s with Spyhop %s on %d processors, %.1f GB, %s, Java %s",
        at,
        release,
        processors,
        memoryBytes / GIGABYTE,
        system,
        java);
  }
}
