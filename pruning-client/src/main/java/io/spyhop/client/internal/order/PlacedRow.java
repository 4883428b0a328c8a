package io.spyhop.client.internal.order;

import io.spyhop.core.order.ValuePosition;
import org.apache.hadoop.hbase.client.Result;

/**
 * A row and where it stands in the order.
 *
 * @param at its place
 * @param row as the region gave it; null where there was no room for it
 */
record PlacedRow(ValuePosition at, Result row) {
  private static final int OVERHEAD = 200;

  /** Bytes on the heap, about. */
  long heapSize() {
    return OVERHEAD + 2L * at.row().length + Result.getTotalSizeOfCells(row);
  }
}
