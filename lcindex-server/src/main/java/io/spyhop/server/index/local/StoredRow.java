package io.spyhop.server.index.local;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** The cells of a row as an index record holds them, detached from the file. Immutable. */
public interface StoredRow {
  /** The row key. */
  byte[] row();

  /** Appends the row's selected cells in HBase's order. */
  void unpack(List<Cell> out) throws IOException;

  /** Bytes on the heap, about. */
  int heapSize();
}
