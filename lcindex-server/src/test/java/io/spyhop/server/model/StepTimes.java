package io.spyhop.server.model;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Measures what the kinds of steps and of checks take, and how much of it the whole process,
 * servers and all, was computing: the rest was waiting. Not thread-safe.
 */
final class StepTimes {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Map<String, Spent> kinds = new TreeMap<>();

  /** Nanoseconds of so many runs. */
  private record Spent(int runs, long wall, long cpu) {
    Spent plus(Spent other) {
      return new Spent(runs + other.runs, wall + other.wall, cpu + other.cpu);
    }

    @Override
    public String toString() {
      return "%d in %d ms (CPU %d)".formatted(runs, millis(wall), millis(cpu));
    }

    private static long millis(long nanos) {
      return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
  }

  /** A call that is timed. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /** Does the work; what fails is not counted. */
  void time(String kind, Work work) throws IOException {
    long wall = System.nanoTime();
    long cpu = system.getProcessCpuTime();
    work.run();
    Spent spent = new Spent(1, System.nanoTime() - wall, system.getProcessCpuTime() - cpu);
    kinds.merge(kind, spent, Spent::plus);
  }

  /** A line for each kind, the longest first. */
  @Override
  public String toString() {
    Spent all = kinds.values().stream().reduce(new Spent(0, 0, 0), Spent::plus);
    return kinds.entrySet().stream()
        .sorted(Comparator.comparingLong(e -> -e.getValue().wall))
        .map(e -> "\n  " + e.getKey() + ": " + e.getValue())
        .collect(Collectors.joining("", all.toString(), ""));
  }
}
