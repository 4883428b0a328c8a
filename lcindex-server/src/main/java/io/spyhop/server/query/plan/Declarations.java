package io.spyhop.server.query.plan;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;

/** The types that a table declares its columns to have, as far as a caller may know them. */
public interface Declarations {
  /**
   * Whether another type is declared of a column, and the caller may know of it.
   *
   * @throws IOException if it cannot be told now what the caller may know
   */
  boolean isOtherType(ColumnName column, ValueType type) throws IOException;

  /** Reads the table's definitions again. */
  void readAgain() throws IOException;
}
