package io.spyhop.jdbc;

import io.spyhop.client.Aggregate;
import io.spyhop.core.aggregate.AggregateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Aggregates of SQL that regions can compute. Stateless. */
final class PushedFigures {
  private static final int MOST_GROUPING = 2;

  private PushedFigures() {}

  /** Empty if one of them cannot be computed there. */
  static Optional<Figures> of(LogicalAggregate aggregate, PushedQuery query) {
    List<Integer> groupBy = aggregate.getGroupSet().asList();
    if (aggregate.getGroupType() != org.apache.calcite.rel.core.Aggregate.Group.SIMPLE
        || groupBy.size() > MOST_GROUPING
        || !groupBy.stream().allMatch(g -> query.column(g).isPlain())) {
      return Optional.empty();
    }
    List<Figures.Figure> figures = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      Optional<Figures.Figure> figure = figure(call, query);
      if (figure.isEmpty()) {
        return Optional.empty();
      }
      figures.add(figure.get());
    }
    if (figures.size() > AggregateRequest.MOST_MEASURES) {
      return Optional.empty();
    }
    if (figures.isEmpty()) {
      figures.add(new Figures.Figure(Aggregate.count(), false)); // groups alone
    }
    return Optional.of(
        new Figures(groupBy.stream().map(query::field).toList(), figures, aggregate.getRowType()));
  }

  private static Optional<Figures.Figure> figure(AggregateCall call, PushedQuery query) {
    if (call.hasFilter()
        || call.isApproximate()
        || call.ignoreNulls()
        || !call.getCollation().getFieldCollations().isEmpty()
        || call.distinctKeys != null
        || call.getArgList().size() > 1) {
      return Optional.empty();
    }
    return call.getArgList().isEmpty()
        ? ofRows(call)
        : ofColumn(call, query.column(call.getArgList().get(0)));
  }

  private static Optional<Figures.Figure> ofRows(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.COUNT && !call.isDistinct()
        ? Optional.of(new Figures.Figure(Aggregate.count(), false))
        : Optional.empty();
  }

  private static Optional<Figures.Figure> ofColumn(AggregateCall call, SqlColumn column) {
    SqlKind kind = call.getAggregation().getKind();
    if (column.isRowKey()) {
      return kind == SqlKind.COUNT ? ofRows(call) : Optional.empty();
    }
    if (!column.isPlain()) {
      return Optional.empty();
    }
    String name = column.typed();
    return switch (kind) {
      case COUNT ->
          figure(call.isDistinct() ? Aggregate.countDistinct(name) : Aggregate.count(name), false);
      case MIN -> figure(Aggregate.min(name), false);
      case MAX -> figure(Aggregate.max(name), false);
      case AVG -> call.isDistinct() ? Optional.empty() : figure(Aggregate.avg(name), false);
      case SUM, SUM0 ->
          call.isDistinct() || !SqlTypeUtil.isNumeric(call.getType())
              ? Optional.empty()
              : figure(Aggregate.sum(name), kind == SqlKind.SUM0);
      default -> Optional.empty();
    };
  }

  private static Optional<Figures.Figure> figure(Aggregate aggregate, boolean isZeroForNone) {
    return Optional.of(new Figures.Figure(aggregate, isZeroForNone));
  }
}
