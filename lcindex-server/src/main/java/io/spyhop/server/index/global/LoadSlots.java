package io.spyhop.server.index.global;

import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Limits the bulk loads of a server that are read, for their entries or rows, at a time. Each holds
 * a handler for as long as that takes; reads and writes have the others. Thread-safe.
 */
final class LoadSlots {
  private final int count;
  private final Semaphore free;

  LoadSlots(int count) {
    this.count = count;
    this.free = new Semaphore(count);
  }

  /**
   * Runs it in this thread.
   *
   * @throws RegionTooBusyException if too many run already
   */
  void run(IoRunnable load) throws IOException {
    if (!free.tryAcquire()) {
      throw new RegionTooBusyException(
          "this server reads the files of "
              + count
              + " bulk loads already; try again (or raise spyhop.global.loads)");
    }
    try {
      load.run();
    } finally {
      free.release();
    }
  }
}
