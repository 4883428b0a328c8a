package io.spyhop.server.index.local;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads index records of one HFile within key ranges, whatever their layout. The row and its record
 * are valid until the next call of {@link #next()}. Not thread-safe.
 */
public interface RecordCursor extends RowRecord, Closeable {
  /** Moves to the next record, in ascending (key, row) order within each range unless asked. */
  boolean next() throws IOException;

  /** The array that holds the value's key. */
  byte[] keyArray();

  /** Where the value's key begins. */
  int keyOffset();

  /** How long the value's key is. */
  int keyLength();

  @Override
  void close();
}
