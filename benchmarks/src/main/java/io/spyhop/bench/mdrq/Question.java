package io.spyhop.bench.mdrq;

import java.util.OptionalInt;

/** A query of a table. */
interface Question {
  /** What to call it in reports. */
  String name();

  /** The condition in SQL. */
  String where();

  /** The first rows only, in row-key order; empty for all. */
  OptionalInt limit();
}
