package io.spyhop.core.aggregate;

/** The values of one column in some rows, as codes: rows with the same code have the same value. */
public interface CodedColumn {
  /** Whether a row has a value. */
  boolean has(int row);

  /** The code of a row that has a value. */
  long code(int row);

  /** Bytes that store the value of a code, canonical. */
  byte[] stored(long code);

  /** The number of a code, where that is sooner found than its bytes; otherwise null. */
  Double number(long code);
}
