package io.spyhop.server.index.global;

import io.spyhop.server.runtime.Pacer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The speed at which a server's regions are read to build global indexes: all builds together read
 * so many bytes a second at most, and each pauses while requests wait for a handler. Thread-safe.
 */
final class BuildPace {
  private static final double NANOS = 1e9;

  private final long bytesPerSecond;
  private final Supplier<Pacer> pacers;
  private final LongSupplier nanos;
  private final LongConsumer pause;

  /** When all that was read so far would have been read at that speed. Guarded by this. */
  private long paced;

  /**
   * @param pacers one for each build
   */
  BuildPace(long bytesPerSecond, Supplier<Pacer> pacers) {
    this(bytesPerSecond, pacers, System::nanoTime, LockSupport::parkNanos);
  }

  BuildPace(long bytesPerSecond, Supplier<Pacer> pacers, LongSupplier nanos, LongConsumer pause) {
    this.bytesPerSecond = bytesPerSecond;
    this.pacers = pacers;
    this.nanos = nanos;
    this.pause = pause;
    this.paced = nanos.getAsLong();
  }

  /** A build begins; it says now and then how many bytes it has read since. */
  LongConsumer begin() {
    Pacer pacer = pacers.get();
    return bytes -> {
      long ahead = ahead(bytes);
      if (ahead > 0) {
        pause.accept(ahead);
      }
      pacer.pace();
    };
  }

  private synchronized long ahead(long bytes) {
    long now = nanos.getAsLong();
    paced = Math.max(paced, now) + (long) (bytes * NANOS / bytesPerSecond);
    return paced - now;
  }
}
