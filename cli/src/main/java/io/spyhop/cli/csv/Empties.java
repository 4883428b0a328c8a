package io.spyhop.cli.csv;

/** The effects that a field without text may have on its column of the row. */
public enum Empties {
  /** Deletes what the column has. */
  DELETE,
  /** Leaves what the column has. */
  SKIP,
  /** Stores a value of no bytes. */
  EMPTY
}
