package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The filtered scan of one table that a query makes. Immutable.
 *
 * @param table the table
 * @param terms all of which must be true of a row
 */
record TableScan(TpcdsTable table, List<Term> terms) {
  /** Copies the list, which must have a term. */
  TableScan {
    terms = List.copyOf(terms);
    if (terms.isEmpty()) {
      throw new IllegalArgumentException("a scan of " + table + " without a predicate");
    }
  }

  static TableScan of(TpcdsTable table, Term... terms) {
    return new TableScan(table, List.of(terms));
  }

  /** The predicate in SQL. */
  String where() {
    return terms.stream().map(Term::sql).collect(Collectors.joining(" AND "));
  }

  /**
   * Whether a row is in the answer.
   *
   * @param stored the row's bytes of a column, null where it lacks it
   */
  boolean matches(Function<String, byte[]> stored) {
    return terms.stream().allMatch(t -> t.matches(stored.apply(t.column())));
  }
}
