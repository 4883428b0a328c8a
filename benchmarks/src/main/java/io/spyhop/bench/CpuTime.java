package io.spyhop.bench;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * The processor time of this process and of those that it has started, a local cluster's servers
 * among them. It says more than a clock on a machine that others use, too. Stateless.
 */
public final class CpuTime {
  private CpuTime() {}

  /** What all of them have used so far; processes that cannot be asked count as nothing. */
  public static Duration now() {
    ProcessHandle self = ProcessHandle.current();
    return Stream.concat(Stream.of(self), self.descendants())
        .flatMap(p -> p.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }
}
