package io.spyhop.bench.mdrq;

import java.util.OptionalInt;

/** A query of a table. */
interface Question {
  /** What to call it in reports. */
  String name();

  /** The condition in SQL. */
  String where();

  /**
   * A condition with a parameter {@code :other}, which is true of the same rows for each number, as
   * servers remember what conditions found.
   */
  String prepared();

  /** The parameter of {@link #prepared}, another for each number. */
  Object other(long number);

  /** The first rows only, in row-key order; empty for all. */
  OptionalInt limit();
}
