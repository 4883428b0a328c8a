package io.spyhop.client;

import java.util.List;

/**
 * The aggregates of a query's rows. Immutable, thread-safe.
 *
 * @param groups ascending by their keys, as conditions compare values, and absent ones last.
 *     Without grouping columns it is one group, even of no rows
 * @param rowsRead how many rows the client read and took in by itself, as an index found them or
 *     their regions did not aggregate; 0 if regions did everything
 */
public record AggregateResult(List<Group> groups, long rowsRead) {
  /**
   * One group of rows.
   *
   * @param key a value for each grouping column, null where it is absent; the same for all values
   *     that compare as equal: 0.0 for -0.0, a decimal without zeros at its end
   * @param values one for each aggregate, in their order, of which {@link Aggregate.Function} says
   *     the class; null where there is none. Values of columns are as {@link
   *     io.spyhop.core.value.ValueCodec#decode} has them
   */
  public record Group(List<Object> key, List<Object> values) {
    /**
     * The value of a count.
     *
     * @param aggregate its place among the aggregates
     * @throws ClassCastException if it is no count
     */
    public long count(int aggregate) {
      return (Long) values.get(aggregate);
    }
  }

  /** The only group, where rows are not grouped. */
  public Group all() {
    return groups.get(0);
  }
}
