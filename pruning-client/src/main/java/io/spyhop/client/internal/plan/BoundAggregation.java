package io.spyhop.client.internal.plan;

import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregate.Function;
import io.spyhop.client.Aggregation;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.aggregate.Measure;
import io.spyhop.core.aggregate.Total;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import java.util.ArrayList;
import java.util.List;

/**
 * An aggregation with columns and types resolved. Immutable, thread-safe.
 *
 * @param request what regions are asked
 * @param figures for each aggregate, where its value is found
 */
public record BoundAggregation(AggregateRequest request, List<Figure> figures) {
  /**
   * Whether each row counts, also one of which the caller sees nothing but other columns: such rows
   * are handed out only where whole rows are read.
   */
  public boolean countsRows() {
    return !request.groupBy().isEmpty() || figures.stream().anyMatch(f -> f.measure == Figure.ROWS);
  }

  /**
   * The place of an aggregate's value.
   *
   * @param measure its place in the request; -1 for the number of rows
   */
  public record Figure(Aggregate aggregate, int measure) {
    private static final int ROWS = -1;

    /**
     * The value in a group.
     *
     * @throws InvalidQueryException if there is none, as numbers are too far from each other
     */
    public Object of(Groups.Group group) {
      if (measure == ROWS) {
        return group.rows();
      }
      Object result = group.results().get(measure);
      if (!(result instanceof Total total)) {
        return result;
      }
      try {
        return aggregate.function() == Function.SUM ? total.sum() : total.average();
      } catch (ArithmeticException e) {
        throw new InvalidQueryException(
            aggregate + ": " + e.getMessage() + "; leave such rows out by the condition", e);
      }
    }
  }

  /**
   * Binds an aggregation of a query's rows.
   *
   * @param predicate the query's; says the type of columns whose type is not declared
   * @throws InvalidQueryException if a function does not fit the type of its column, or there are
   *     too many aggregates
   * @throws io.spyhop.core.predicate.UnknownColumnException if a column cannot be resolved
   */
  public static BoundAggregation of(
      Aggregation aggregation, BoundPredicate predicate, TableSchema table) {
    return new Binding(predicate, table).bind(aggregation);
  }

  private static final class Binding {
    private final BoundPredicate predicate;
    private final TableSchema table;
    private final List<BoundColumn> columns = new ArrayList<>();
    private final List<Measure> measures = new ArrayList<>();

    Binding(BoundPredicate predicate, TableSchema table) {
      this.predicate = predicate;
      this.table = table;
    }

    BoundAggregation bind(Aggregation aggregation) {
      List<Integer> groupBy = aggregation.groupBy().stream().map(this::column).toList();
      List<Figure> figures = aggregation.aggregates().stream().map(this::figure).toList();
      if (measures.size() > AggregateRequest.MOST_MEASURES) {
        throw new InvalidQueryException(
            "there are more than "
                + AggregateRequest.MOST_MEASURES
                + " aggregates: ask for them in several queries");
      }
      List<Boolean> declared = columns.stream().map(table::isDeclared).toList();
      return new BoundAggregation(
          new AggregateRequest(columns, declared, groupBy, measures), figures);
    }

    private Figure figure(Aggregate aggregate) {
      if (aggregate.column().isEmpty()) {
        return new Figure(aggregate, Figure.ROWS);
      }
      Measure measure = new Measure(kind(aggregate.function()), column(aggregate.column().get()));
      BoundColumn column = columns.get(measure.column());
      if (!measure.kind().fits(column.type())) {
        throw new InvalidQueryException(
            aggregate
                + ": column "
                + column.name()
                + " is of type "
                + column.type()
                + ", and sums and averages are of numbers");
      }
      if (!measures.contains(measure)) {
        measures.add(measure);
      }
      return new Figure(aggregate, measures.indexOf(measure));
    }

    private static Measure.Kind kind(Function function) {
      return switch (function) {
        case COUNT, COUNT_ROWS -> Measure.Kind.COUNT;
        case COUNT_DISTINCT -> Measure.Kind.DISTINCT;
        case MIN -> Measure.Kind.MIN;
        case MAX -> Measure.Kind.MAX;
        case SUM, AVG -> Measure.Kind.SUM;
      };
    }

    private int column(String named) {
      BoundColumn column = table.typed(named, predicate);
      for (BoundColumn other : columns) {
        if (other.name().equals(column.name()) && other.type() != column.type()) {
          throw new InvalidQueryException(
              "column "
                  + column.name()
                  + " is read as "
                  + other.type()
                  + " and as "
                  + column.type()
                  + " in one query: use one type");
        }
      }
      if (!columns.contains(column)) {
        columns.add(column);
      }
      return columns.indexOf(column);
    }
  }
}
