package io.spyhop.server.index.local;

import io.spyhop.core.predicate.RowJudge;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** The record of one row in one source. */
public interface RowRecord {
  /** The array that holds the row key. */
  byte[] rowArray();

  /** Where the row key begins. */
  int rowOffset();

  /** How long the row key is. */
  int rowLength();

  /** Whether the record cannot stand for the row, so that the row must be read again. */
  boolean isComplex();

  /** Whether it is known that no other source has more of the row; false if it is not. */
  default boolean isAlone() {
    return false;
  }

  /** The timestamp of the row's oldest cell; only where the record is not complex. */
  long oldestTimestamp();

  /** Judges the row by its record; only where the record is not complex. */
  boolean matches(RowJudge judge) throws IOException;

  /** A copy of the row's cells; only where the record is not complex. */
  StoredRow keep();

  /** Adds the row's cells, of which nothing has to be let go; only where it is not complex. */
  default void addTo(List<Cell> out) throws IOException {
    keep().unpack(out);
  }
}
