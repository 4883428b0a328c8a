package io.spyhop.server.testing;

import io.spyhop.client.Aggregate;
import io.spyhop.client.AggregateResult;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.value.Operand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/** Counts and adds up rows one by one, as one would by hand, and says the same of answers. */
public final class PlainAggregates {
  /**
   * So many more decimal places than a sum of doubles has: what lies halfway between two doubles of
   * the average's size has fewer, so that rounding twice gives what rounding once does.
   */
  private static final int MORE_PLACES = 100;

  private final List<BoundColumn> groupBy;
  private final Map<Aggregate, BoundColumn> columns = new LinkedHashMap<>();

  /** Of columns that rows are grouped by. */
  public PlainAggregates(List<BoundColumn> groupBy) {
    this.groupBy = groupBy;
  }

  /**
   * Adds an aggregate.
   *
   * @param column null for a count of rows
   */
  public PlainAggregates and(Aggregate aggregate, BoundColumn column) {
    columns.put(aggregate, column);
    return this;
  }

  /** The aggregates, in order. */
  public List<Aggregate> aggregates() {
    return List.copyOf(columns.keySet());
  }

  /** The columns whose values are looked at. */
  public List<BoundColumn> columns() {
    return Stream.concat(groupBy.stream(), columns.values().stream())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** A line for each group of rows. */
  public List<String> of(Iterable<Result> rows) {
    Comparator<Operand> byValue = Comparator.nullsLast(Comparator.naturalOrder());
    Map<List<Operand>, List<Result>> groups =
        new TreeMap<>(
            (a, b) -> {
              int c = 0;
              for (int i = 0; c == 0 && i < a.size(); i++) {
                c = byValue.compare(a.get(i), b.get(i));
              }
              return c;
            });
    if (groupBy.isEmpty()) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (Result row : rows) {
      List<Operand> key = new ArrayList<>();
      groupBy.forEach(c -> key.add(value(row, c).orElse(null)));
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }
    List<String> lines = new ArrayList<>();
    groups.forEach(
        (key, some) ->
            lines.add(key.stream().map(PlainAggregates::shown).toList() + " " + line(some)));
    return lines;
  }

  private String line(List<Result> rows) {
    List<String> values = new ArrayList<>();
    columns.forEach(
        (aggregate, column) ->
            values.add(
                column == null
                    ? Integer.toString(rows.size())
                    : figure(
                        aggregate.function(),
                        rows.stream().flatMap(r -> value(r, column).stream()).toList())));
    return values.toString();
  }

  private static Optional<Operand> value(Result row, BoundColumn column) {
    var cell = row.getColumnLatestCell(column.name().family(), column.name().qualifier());
    if (cell == null) {
      return Optional.empty();
    }
    byte[] b = CellUtil.cloneValue(cell);
    return column.type().codec().isDecodable(b, 0, b.length)
        ? Optional.of(column.type().codec().operandFromStored(b))
        : Optional.empty();
  }

  private static String figure(Aggregate.Function function, List<Operand> values) {
    TreeSet<Operand> distinct = new TreeSet<>(values);
    return switch (function) {
      case COUNT_ROWS, COUNT -> Integer.toString(values.size());
      case COUNT_DISTINCT -> Integer.toString(distinct.size());
      case MIN -> distinct.isEmpty() ? "null" : shown(distinct.first());
      case MAX -> distinct.isEmpty() ? "null" : shown(distinct.last());
      case SUM -> values.isEmpty() ? "null" : total(values, false);
      case AVG -> values.isEmpty() ? "null" : total(values, true);
    };
  }

  private static String total(List<Operand> values, boolean average) {
    Object first = values.get(0).value();
    boolean floating = first instanceof Double || first instanceof Float;
    if (floating) {
      double special = 0;
      for (Operand o : values) {
        double d = ((Number) o.value()).doubleValue();
        special += Double.isFinite(d) ? 0 : d;
      }
      if (special != 0) {
        return Double.toString(special);
      }
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (Operand o : values) {
      sum = sum.add(exact(o.value()));
    }
    BigDecimal by = BigDecimal.valueOf(average ? values.size() : 1);
    if (floating) {
      int places = Math.max(sum.scale(), 0) + MORE_PLACES;
      return Double.toString(sum.divide(by, places, RoundingMode.HALF_EVEN).doubleValue());
    }
    return number(average ? sum.divide(by, MathContext.DECIMAL128) : sum);
  }

  private static BigDecimal exact(Object number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(((Number) number).doubleValue())
        : new BigDecimal(number.toString());
  }

  private static String number(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toString();
  }

  /** A line for each group of an answer to the same aggregates. */
  public List<String> text(AggregateResult answer) {
    List<String> lines = new ArrayList<>();
    for (AggregateResult.Group group : answer.groups()) {
      List<String> key = new ArrayList<>();
      for (int i = 0; i < groupBy.size(); i++) {
        key.add(operand(groupBy.get(i), group.key().get(i)));
      }
      List<String> values = new ArrayList<>();
      int i = 0;
      for (Map.Entry<Aggregate, BoundColumn> e : columns.entrySet()) {
        values.add(text(e.getKey(), e.getValue(), group.values().get(i++)));
      }
      lines.add(key + " " + values);
    }
    return lines;
  }

  private static String text(Aggregate aggregate, BoundColumn column, Object value) {
    return switch (aggregate.function()) {
      case MIN, MAX -> operand(column, value);
      case SUM, AVG -> value == null || value instanceof Double ? "" + value : total(value);
      case COUNT_ROWS, COUNT, COUNT_DISTINCT -> value.toString();
    };
  }

  private static String total(Object value) {
    return number(value instanceof BigInteger i ? new BigDecimal(i) : (BigDecimal) value);
  }

  private static String operand(BoundColumn column, Object value) {
    return shown(value == null ? null : column.type().codec().operand(value));
  }

  private static String shown(Operand value) {
    return value != null && value.value() instanceof BigDecimal decimal
        ? number(decimal)
        : String.valueOf(value);
  }
}
