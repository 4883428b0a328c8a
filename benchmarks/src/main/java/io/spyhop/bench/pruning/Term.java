package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A comparison of a column with a value; true of no row that lacks the column. Immutable.
 *
 * @param column the column's name
 * @param comparison how they are compared
 * @param value an Integer, or text, which can only be equal
 */
record Term(String column, Comparison comparison, Object value) {
  /** A comparison of a column. */
  enum Comparison {
    EQUAL("="),
    AT_LEAST(">=");

    private final String sql;

    Comparison(String sql) {
      this.sql = sql;
    }
  }

  /** Whether the value can be compared so. */
  Term {
    if (!(value instanceof Integer) && comparison != Comparison.EQUAL) {
      throw new IllegalArgumentException(column + ": " + value + " is no number");
    }
  }

  static Term equal(String column, Object value) {
    return new Term(column, Comparison.EQUAL, value);
  }

  static Term atLeast(String column, int value) {
    return new Term(column, Comparison.AT_LEAST, value);
  }

  /**
   * Whether it is true of a row.
   *
   * @param stored the column's bytes, null if the row lacks it
   */
  boolean matches(byte[] stored) {
    if (stored == null) {
      return false;
    }
    if (value instanceof Integer number) {
      int found = TpcdsTable.number(stored);
      return comparison == Comparison.EQUAL ? found == number : found >= number;
    }
    return Bytes.equals(stored, Bytes.toBytes((String) value));
  }

  /** As SQL has it. */
  String sql() {
    String literal = value instanceof Integer ? value.toString() : "'" + value + "'";
    return column + " " + comparison.sql + " " + literal;
  }
}
