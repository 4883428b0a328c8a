package io.spyhop.server.local;

import io.spyhop.core.predicate.RowJudge;
import java.io.Closeable;
import java.io.IOException;

/**
 * Reads index records of one HFile within key ranges, whatever their layout. The row and its record
 * are valid until the next call of {@link #next()}. Not thread-safe.
 */
public interface RecordCursor extends Closeable {
  /** Moves to the next record, in ascending (key, row) order within each range. */
  boolean next() throws IOException;

  /** The array that holds the row key. */
  byte[] rowArray();

  /** Where the row key begins. */
  int rowOffset();

  /** How long the row key is. */
  int rowLength();

  /** Whether the record cannot stand for the row, so that the row must be read again. */
  boolean isComplex();

  /** The timestamp of the row's oldest cell; only where the record is not complex. */
  long oldestTimestamp();

  /** Judges the row by its record; only where the record is not complex. */
  boolean matches(RowJudge judge) throws IOException;

  /** A copy of the row's cells; only where the record is not complex. */
  StoredRow keep();

  @Override
  void close();
}
