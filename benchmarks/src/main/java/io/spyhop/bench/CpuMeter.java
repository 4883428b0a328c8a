package io.spyhop.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time that the threads of this JVM use from now on: of embedded servers and of their
 * client, to the microsecond. The threads of the garbage collector and of the compiler are not
 * among them, nor those that have ended when the meter is read. Immutable, thread-safe.
 */
public final class CpuMeter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Map<Long, Long> before;

  private CpuMeter(Map<Long, Long> before) {
    this.before = before;
  }

  /** Begins to count. */
  public static CpuMeter start() {
    return new CpuMeter(nanos());
  }

  /** What has been used since the start. */
  public Duration elapsed() {
    return Duration.ofNanos(
        nanos().entrySet().stream()
            .mapToLong(e -> e.getValue() - before.getOrDefault(e.getKey(), 0L))
            .sum());
  }

  /** By thread; one that has just ended has none. */
  private static Map<Long, Long> nanos() {
    long[] ids = THREADS.getAllThreadIds();
    long[] times = THREADS.getThreadCpuTime(ids);
    Map<Long, Long> nanos = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (times[i] >= 0) {
        nanos.put(ids[i], times[i]);
      }
    }
    return nanos;
  }
}
