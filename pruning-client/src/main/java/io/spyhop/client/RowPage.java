package io.spyhop.client;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;

/**
 * A part of a query's rows. Immutable.
 *
 * @param rows in the query's order; at most as many as were asked for, and fewer on the last page
 *     alone
 * @param next the token of the page behind it; empty after the last. Text of letters, digits, - and
 *     _, bound to the table and the query; it has the key of the last row, and its value where the
 *     query has an order, readable for its holder
 */
public record RowPage(List<Result> rows, Optional<String> next) {
  /** Copies the rows. */
  public RowPage {
    rows = List.copyOf(rows);
  }
}
