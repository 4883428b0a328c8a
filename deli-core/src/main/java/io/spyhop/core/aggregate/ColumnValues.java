package io.spyhop.core.aggregate;

import java.util.Arrays;

/**
 * The stored values of one row in the columns of a request: the newest visible ones, as far as they
 * decode. It refers to them until {@link #keep}. Not thread-safe.
 */
public final class ColumnValues {
  private final AggregateRequest request;
  private final byte[][] arrays;
  private final int[] offsets;
  private final int[] lengths;
  private final boolean[] seen;

  /** Of no row yet. */
  public ColumnValues(AggregateRequest request) {
    int columns = request.columns().size();
    this.request = request;
    this.arrays = new byte[columns][];
    this.offsets = new int[columns];
    this.lengths = new int[columns];
    this.seen = new boolean[columns];
  }

  /** Forgets the row. */
  public void reset() {
    for (int i = 0; i < seen.length; i++) {
      seen[i] = false;
      arrays[i] = null;
    }
  }

  /**
   * Takes the newest value of a column; later calls for it are ignored, as versions come newest
   * first.
   *
   * @param column its place in the request
   */
  public void offer(int column, byte[] b, int off, int len) {
    if (seen[column]) {
      return;
    }
    seen[column] = true;
    if (request.type(column).codec().isDecodable(b, off, len)) {
      arrays[column] = b;
      offsets[column] = off;
      lengths[column] = len;
    }
  }

  /** Copies the values, whose bytes are about to change. */
  public void keep() {
    for (int i = 0; i < arrays.length; i++) {
      if (arrays[i] != null) {
        arrays[i] = Arrays.copyOfRange(arrays[i], offsets[i], offsets[i] + lengths[i]);
        offsets[i] = 0;
      }
    }
  }

  /** Whether there is a value that decodes. */
  boolean has(int column) {
    return arrays[column] != null;
  }

  /** The value's canonical bytes, or null if there is none. */
  byte[] canonical(int column) {
    return has(column)
        ? request.type(column).codec().canonical(arrays[column], offsets[column], lengths[column])
        : null;
  }

  /** Has an accumulator take a value that is there. */
  long addTo(Accumulator accumulator, int column) {
    return accumulator.add(arrays[column], offsets[column], lengths[column]);
  }
}
