package io.spyhop.bench.mdrq;

import java.util.OptionalInt;

/** A query of a table. */
interface Question {
  /** What to call it in reports. */
  String name();

  /** The condition in SQL. */
  String where();

  /**
   * A condition of which the same rows are true, but another for each number, as servers remember
   * what conditions found.
   */
  String where(long number);

  /** The first rows only, in row-key order; empty for all. */
  OptionalInt limit();
}
