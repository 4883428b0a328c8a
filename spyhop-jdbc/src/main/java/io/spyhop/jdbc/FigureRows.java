package io.spyhop.jdbc;

import io.spyhop.client.Aggregate;
import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;

/** The groups of a query's rows, computed by each enumerator. Thread-safe. */
final class FigureRows extends AbstractEnumerable<Object> {
  private final IndexedTable table;
  private final Optional<Query> query;
  private final Aggregation aggregation;
  private final Figures figures;
  private final Runnable begun;

  /**
   * @param query empty if there are no rows
   * @param begun run when there is an answer; refuses it by what it throws
   */
  FigureRows(
      IndexedTable table,
      Optional<Query> query,
      Aggregation aggregation,
      Figures figures,
      Runnable begun) {
    this.table = table;
    this.query = query;
    this.aggregation = aggregation;
    this.figures = figures;
    this.begun = begun;
  }

  @Override
  public Enumerator<Object> enumerator() {
    List<Object> rows = new ArrayList<>();
    if (query.isPresent()) {
      AggregateResult answer = answer();
      begun.run();
      for (AggregateResult.Group group : answer.groups()) {
        rows.add(row(group.key(), group.values()));
      }
    } else if (figures.groupBy().isEmpty()) {
      rows.add(row(List.of(), figures.aggregates().stream().map(FigureRows::ofNone).toList()));
    }
    return Linq4j.enumerator(rows);
  }

  private AggregateResult answer() {
    try {
      return table.aggregate(query.orElseThrow(), aggregation);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "query on table '" + table.name() + "' failed: " + e.getMessage(), e);
    }
  }

  private static Object ofNone(Figures.Figure figure) {
    return switch (figure.aggregate().function()) {
      case COUNT, COUNT_ROWS, COUNT_DISTINCT -> 0L;
      default -> null;
    };
  }

  private Object row(List<Object> key, List<Object> results) {
    List<Object> values = new ArrayList<>();
    key.forEach(k -> values.add(SqlValues.internal(k)));
    for (int i = 0; values.size() < figures.row().getFieldCount(); i++) {
      RelDataType type = figures.row().getFieldList().get(values.size()).getType();
      values.add(figure(figures.aggregates().get(i), results.get(i), type));
    }
    return values.size() == 1 ? values.get(0) : values.toArray();
  }

  private static Object figure(Figures.Figure figure, Object value, RelDataType type) {
    if (figure.aggregate().function() == Aggregate.Function.AVG) {
      return SqlValues.average(value, type);
    }
    Object present = value == null && figure.isZeroForNone() ? zero(type) : value;
    return SqlValues.figure(present, type);
  }

  private static Object zero(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BIGINT -> (Object) 0L;
      case DECIMAL -> BigDecimal.ZERO;
      default -> 0.0;
    };
  }
}
