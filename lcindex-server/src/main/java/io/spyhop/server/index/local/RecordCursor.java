package io.spyhop.server.index.local;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads index records of one HFile within key ranges, whatever their layout. The row and its record
 * are valid until the next call of {@link #next()}. Not thread-safe.
 */
public interface RecordCursor extends RowRecord, Closeable {
  /** Moves to the next record. */
  boolean next() throws IOException;

  @Override
  void close();
}
