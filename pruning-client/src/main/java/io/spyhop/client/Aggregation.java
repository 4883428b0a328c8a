package io.spyhop.client;

import io.spyhop.client.internal.plan.AggregateParser;
import io.spyhop.core.aggregate.AggregateRequest;
import java.util.List;
import java.util.Objects;

/**
 * The aggregates that are asked of a query's rows, and the columns that these are grouped by.
 * Immutable, thread-safe.
 *
 * <pre>{@code
 * Aggregation.of(Aggregate.count(), Aggregate.sum("d:totalprice")).groupBy("d:priority")
 * }</pre>
 */
public final class Aggregation {
  private final List<Aggregate> aggregates;
  private final List<String> groupBy;

  private Aggregation(List<Aggregate> aggregates, List<String> groupBy) {
    this.aggregates = List.copyOf(aggregates);
    this.groupBy = List.copyOf(groupBy);
  }

  /** As the other method. */
  public static Aggregation of(Aggregate... aggregates) {
    return of(List.of(aggregates));
  }

  /**
   * Aggregates of all rows.
   *
   * @throws InvalidQueryException if there is none
   */
  public static Aggregation of(List<Aggregate> aggregates) {
    if (aggregates.isEmpty()) {
      throw new InvalidQueryException("there is no aggregate; count(*) is one");
    }
    return new Aggregation(aggregates, List.of());
  }

  /**
   * Aggregates of all rows, as SQL has them after SELECT: {@code "count(*), sum(d:totalprice)"}.
   *
   * @throws InvalidQueryException if the text is something else; the message is one line
   */
  public static Aggregation parse(String text) {
    return of(AggregateParser.parse(Objects.requireNonNull(text, "the aggregates are null")));
  }

  /**
   * The same aggregates of each group of rows. Rows are in one group if their values compare as
   * equal, as in conditions; those without a value, or with one that does not decode, have a group
   * of their own.
   *
   * @param columns one or two, named as those of {@link Aggregate}; none for all rows
   * @throws InvalidQueryException if there are more
   */
  public Aggregation groupBy(String... columns) {
    Objects.requireNonNull(columns, "the columns to group by are null");
    if (columns.length > AggregateRequest.MOST_GROUPING) {
      throw new InvalidQueryException(
          "rows are grouped by one column or two, not by " + columns.length);
    }
    return new Aggregation(aggregates, List.of(columns));
  }

  /** What is asked. */
  public List<Aggregate> aggregates() {
    return aggregates;
  }

  /** The columns that rows are grouped by, as they were named. */
  public List<String> groupBy() {
    return groupBy;
  }

  @Override
  public String toString() {
    return aggregates + (groupBy.isEmpty() ? "" : " GROUP BY " + groupBy);
  }
}
