package io.spyhop.client.internal.exec;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rows that one cursor holds unread, and the bounds of its reading ahead: so many rows of a
 * range as are fetched at a time, and twice as many whenever the reader has read that many. So a
 * cursor that is hardly read costs little, and one that is read to its end does not wait.
 * Thread-safe.
 */
final class CursorMemory {
  /** Frees what cursors hold that nobody closed. */
  private static final Cleaner CLEANER = Cleaner.create();

  /** How many rows of a range may wait for the reader at most. */
  static final int MAX_ROWS = 1 << 16;

  private final ReadAhead all;
  private final int leastRows;
  private final long feedBytes;
  private final AtomicLong held = new AtomicLong();
  private volatile int rows;

  /**
   * @param caching how many rows a scan fetches at a time
   * @param ranges how many ranges are read at once, among which the cursor's bytes are divided
   */
  CursorMemory(ReadAhead all, int caching, int ranges) {
    this.all = all;
    this.leastRows = Math.max(1, Math.min(caching, MAX_ROWS));
    this.rows = leastRows;
    this.feedBytes = all.maxBytes() / 2 / Math.max(1, ranges);
  }

  /** How many rows of a range may be read for a reader that waits for them, whatever is held. */
  int leastRows() {
    return leastRows;
  }

  /** How many rows of a range may be ahead of the reader, if there is room. */
  int rows() {
    return rows;
  }

  /** The reader has read that many. */
  void grow() {
    rows = Math.min(MAX_ROWS, 2 * rows);
  }

  /** What a range may be ahead of the reader, if there is room. */
  long feedBytes() {
    return feedBytes;
  }

  /** The most that a scan fetches at a time. */
  long pageBytes() {
    return all.pageBytes();
  }

  /** Whether the cursor may read further ahead. */
  boolean hasRoom() {
    return held.get() < all.maxBytes() - all.used();
  }

  /** So much more, or less, is held. */
  void add(long bytes) {
    held.addAndGet(bytes);
    all.add(bytes);
  }

  /** Frees what is held once nobody has the cursor any more. */
  void freeWith(Object cursor) {
    CLEANER.register(cursor, this::forget);
  }

  /** Holds so much if that is half of what is free at most. */
  boolean tryAdd(long bytes) {
    boolean room = bytes <= (all.maxBytes() - all.used()) / 2;
    if (room) {
      add(bytes);
    }
    return room;
  }

  /** Nothing is held any more. */
  void forget() {
    all.add(-held.getAndSet(0));
  }
}
