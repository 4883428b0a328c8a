package io.spyhop.cli.csv;

/** What a field without text does to its column of the row. */
public enum Empties {
  /** Deletes what the column has. */
  DELETE,
  /** Leaves what the column has. */
  SKIP,
  /** Stores a value of no bytes. */
  EMPTY
}
