package io.spyhop.client.internal.order;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * The rows that a query has handed out, so that none comes twice. A region's scan that goes on at a
 * later moment may meet a row again whose value has changed meanwhile (correctness rule 8). Not
 * thread-safe.
 */
final class HandedOut {
  private static final int OVERHEAD = 120;

  private final SortMemory memory;
  private final Set<ByteBuffer> rows = new HashSet<>();
  private boolean complete = true;
  private boolean resumed;

  HandedOut(SortMemory memory) {
    this.memory = memory;
  }

  /**
   * A region's scan goes on at a later moment.
   *
   * @throws IOException if it is not known any more which rows were handed out
   */
  void resume(IOException cause) throws IOException {
    if (!complete) {
      throw new IOException(
          "after "
              + rows.size()
              + " rows in the order of values a region was closed, split or merged, or its scan's"
              + " lease ended, and the keys of rows that were handed out exceed "
              + SortMemory.BYTES
              + ": raise it, or ask for fewer rows",
          cause);
    }
    resumed = true;
  }

  /** Adds a row; false if it was handed out before. */
  boolean add(byte[] row) {
    ByteBuffer key = ByteBuffer.wrap(row);
    if (resumed && rows.contains(key)) {
      return false;
    }
    if (!complete) {
      return true; // those before a scan went on are known
    }
    complete = memory.take(OVERHEAD + row.length);
    if (complete) {
      rows.add(key);
    }
    return true;
  }
}
