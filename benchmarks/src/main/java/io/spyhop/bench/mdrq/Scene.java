package io.spyhop.bench.mdrq;

import io.spyhop.bench.Row;

/**
 * The place of a measurement.
 *
 * @param state the name of the state that the tables are in
 * @param twins the tables
 * @param rows orders in each of them
 * @param servers that have them
 * @param trial how often a query is asked
 * @param findings where the results go
 */
record Scene(
    String state, Twins twins, long rows, Servers servers, Trial trial, Findings findings) {
  /** Begins a result's row. */
  Row row(String name) {
    return Row.of("name", name).and("state", state).and("layout", twins.layout().name());
  }
}
