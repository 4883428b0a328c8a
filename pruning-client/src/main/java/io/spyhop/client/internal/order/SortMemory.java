package io.spyhop.client.internal.order;

import io.spyhop.core.conf.CheckedSettings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** The memory of one query for rows that it sorts, and for keys of rows that it has handed out. */
public final class SortMemory {
  /** The setting of the bound, in bytes. */
  public static final String BYTES = "spyhop.client.sort.bytes";

  private static final long DEFAULT_BYTES = 64L << 20;

  /** Without the setting the bound is at most this part of the heap. */
  private static final int HEAP_PART = 8;

  private final long bound;
  private long held;

  /** That many bytes. */
  public SortMemory(long bound) {
    this.bound = bound;
  }

  /** As configured. */
  public static SortMemory of(Configuration conf) {
    long usual = Math.min(DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
    return new SortMemory(new CheckedSettings(conf).memory(BYTES, usual, 0));
  }

  /** How much it is. */
  public long bound() {
    return bound;
  }

  /** Takes or, if negative, gives back so much; false, and nothing taken, if it is not there. */
  boolean take(long bytes) {
    if (bytes > bound - held) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Takes so much for a row that is to be sorted. */
  void require(long bytes) throws IOException {
    if (!take(bytes)) {
      throw new IOException(
          "the rows to be sorted take more than "
              + BYTES
              + "="
              + bound
              + ": ask for fewer with limit(n), or order by a column with a local index, which is"
              + " not sorted by the client; 'explain' says why it is here");
    }
  }
}
