package io.spyhop.client.internal.order;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the wide rows that a query holds before their turn, one for each region. Thread-safe. */
final class HeadRoom {
  private final long bytes;
  private final long narrow;
  private final AtomicLong held = new AtomicLong();

  /**
   * @param bytes of all together
   * @param narrow rows of no more bytes are held all the same
   */
  HeadRoom(long bytes, long narrow) {
    this.bytes = bytes;
    this.narrow = narrow;
  }

  /** Takes room for a row; false, and nothing taken, if it is wide and there is none. */
  boolean take(long row) {
    if (held.addAndGet(row) <= bytes || row <= narrow) {
      return true;
    }
    held.addAndGet(-row);
    return false;
  }

  /** Takes room for a row whose turn it is, and that is held whatever it takes. */
  void require(long row) {
    held.addAndGet(row);
  }

  void give(long row) {
    held.addAndGet(-row);
  }
}
