package io.spyhop.server.index.global;

import io.spyhop.core.protocol.RegionStatus.Build;
import java.util.function.LongSupplier;

/** Counts what is read of a region to build a global index. Thread-safe. */
final class BuildCount {
  private final LongSupplier nanos;
  private long rows;
  private long bytes;
  private long began;
  private boolean running;

  BuildCount(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void begin() {
    rows = 0;
    bytes = 0;
    began = nanos.getAsLong();
    running = true;
  }

  synchronized void read(long moreRows, long moreBytes) {
    rows += moreRows;
    bytes += moreBytes;
  }

  synchronized void end() {
    running = false;
  }

  /**
   * How far it is: all of a region that is built was read, by whatever server.
   *
   * @param of bytes of the region
   */
  synchronized Build of(boolean built, long of) {
    long read = built ? of : Math.min(bytes, of);
    long millis = running ? Math.max(1, (nanos.getAsLong() - began) / 1_000_000) : 0;
    return new Build(rows, read, of, millis);
  }
}
