package io.spyhop.server.index.global;

import io.spyhop.core.protocol.RegionStatus.Build;
import java.util.function.LongSupplier;

/**
 * Counts what is read of a region to build a global index, over several attempts: each goes on
 * where the one before has failed. Thread-safe.
 */
final class BuildCount {
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier nanos;
  private long rows;
  private long bytes;

  /** Time of the attempts that have ended. */
  private long spent;

  private long began;
  private boolean running;

  BuildCount(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** All is to be read again. */
  synchronized void reset() {
    rows = 0;
    bytes = 0;
    spent = 0;
    began = nanos.getAsLong();
  }

  synchronized void begin() {
    began = nanos.getAsLong();
    running = true;
  }

  synchronized void read(long moreRows, long moreBytes) {
    rows += moreRows;
    bytes += moreBytes;
  }

  synchronized void end() {
    spent += nanos.getAsLong() - began;
    running = false;
  }

  /**
   * How far it is: all of a region that is built was read, by whatever server.
   *
   * @param of bytes of the region
   */
  synchronized Build of(boolean built, long of) {
    long read = built ? of : Math.min(bytes, of);
    long now = running ? Math.max(1, (spent + nanos.getAsLong() - began) / NANOS_PER_MILLI) : 0;
    return new Build(rows, read, of, now);
  }
}
