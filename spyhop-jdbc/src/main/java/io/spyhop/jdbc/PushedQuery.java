package io.spyhop.jdbc;

import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The part of a statement that one query of Spyhop answers. Immutable, thread-safe.
 *
 * <p>A query that selects columns leaves out rows that have none of them, and SQL does not: columns
 * are selected only where a condition is not true of rows that lack one of them.
 */
public final class PushedQuery {
  /** Fields of a row that are left out by no condition. */
  private static final int NO_FIELD = -1;

  private final IndexedTable table;
  private final List<SqlColumn> columns;
  private final RelDataType tableRow;
  private final List<RexNode> conditions;
  private final List<Integer> fields;
  private final Optional<Sorting> order;
  private final int limit;
  private final Optional<Figures> figures;

  /**
   * An order of values.
   *
   * @param field of the table
   */
  record Sorting(int field, Order direction) {}

  private PushedQuery(
      IndexedTable table,
      List<SqlColumn> columns,
      RelDataType tableRow,
      List<RexNode> conditions,
      List<Integer> fields,
      Optional<Sorting> order,
      int limit,
      Optional<Figures> figures) {
    this.table = table;
    this.columns = columns;
    this.tableRow = tableRow;
    this.conditions = conditions;
    this.fields = fields;
    this.order = order;
    this.limit = limit;
    this.figures = figures;
  }

  /**
   * All of a table.
   *
   * @param columns of its fields
   */
  static PushedQuery of(IndexedTable table, List<SqlColumn> columns, RelDataType row) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < row.getFieldCount(); i++) {
      all.add(i);
    }
    return new PushedQuery(
        table, columns, row, List.of(), all, Optional.empty(), 0, Optional.empty());
  }

  /** With conditions on fields of the table, of which {@link #conditions()} can read each. */
  PushedQuery filtered(List<RexNode> by) {
    return new PushedQuery(
        table, columns, tableRow, List.copyOf(by), fields, order, limit, figures);
  }

  /** With some of its fields. */
  PushedQuery projected(List<Integer> places) {
    List<Integer> some = places.stream().map(fields::get).toList();
    return new PushedQuery(table, columns, tableRow, conditions, some, order, limit, figures);
  }

  PushedQuery ordered(Optional<Sorting> by, int most) {
    return new PushedQuery(table, columns, tableRow, conditions, fields, by, most, figures);
  }

  PushedQuery aggregated(Figures by) {
    return new PushedQuery(
        table, columns, tableRow, conditions, fields, order, limit, Optional.of(by));
  }

  /** The field of the table that comes out at a place. */
  int field(int place) {
    return fields.get(place);
  }

  SqlColumn column(int place) {
    return columns.get(field(place));
  }

  /** Reads conditions on fields of the table, while a statement is planned. */
  Conditions conditions() {
    return new Conditions(columns, name -> "");
  }

  boolean isFiltered() {
    return !conditions.isEmpty();
  }

  /** Whether it has neither an order, a limit nor aggregates. */
  boolean isOfAllRows() {
    return order.isEmpty() && limit == 0 && figures.isEmpty();
  }

  /** Whether rows come out, and no aggregates. */
  boolean hasRows() {
    return figures.isEmpty();
  }

  /** Whether no row comes out without a value in a field of the table. */
  boolean requires(int field) {
    return required().contains(field);
  }

  private List<Integer> required() {
    return conditions.stream().map(this::required).filter(f -> f != NO_FIELD).toList();
  }

  private int required(RexNode condition) {
    return conditions()
        .asComparison(condition)
        .map(c -> columns.indexOf(c.left()))
        .orElse(NO_FIELD);
  }

  /** What comes out. */
  RelDataType row(RelDataTypeFactory types) {
    if (figures.isPresent()) {
      return figures.get().row();
    }
    var row = types.builder().uniquify();
    fields.forEach(f -> row.add(tableRow.getFieldList().get(f)));
    return row.build();
  }

  /** A guess: nobody counts rows. */
  double estimatedRows(double ofTable, double selectivity) {
    double rows = ofTable * selectivity;
    if (figures.isPresent()) {
      return figures.get().groupBy().isEmpty() ? 1 : Math.max(1, rows / 10);
    }
    return limit == 0 ? rows : Math.min(limit, rows);
  }

  List<RexNode> filters() {
    return conditions;
  }

  int width() {
    return figures.map(f -> f.row().getFieldCount()).orElse(fields.size());
  }

  /**
   * Asks the table. Called by code that Calcite generates.
   *
   * @return an array for each row, or its only value
   */
  public Enumerable<Object> rows(DataContext context) {
    boolean sent = haveTypes(false) && (figures.isPresent() || asksForAllItShows());
    Runnable begun = () -> haveTypes(!sent);
    Optional<Query> asked = query(context);
    if (figures.isPresent()) {
      return new FigureRows(table, asked, aggregation(), figures.get(), begun);
    }
    List<SqlColumn> shown = fields.stream().map(columns::get).toList();
    return new TableRows(table, asked, shown, context, begun);
  }

  /** Whether regions are asked about all columns of which values are shown, or that order rows. */
  private boolean asksForAllItShows() {
    ImmutableBitSet asked = RelOptUtil.InputFinder.bits(conditions, null);
    return Stream.concat(fields.stream(), order.stream().map(Sorting::field))
        .allMatch(f -> asked.get(f) || columns.get(f).isRowKey());
  }

  /**
   * Refuses a statement that is older than the table's definitions: before it asks, by those that
   * are remembered, and when the first row has come, or none. Then regions have refused what was
   * asked by old ones, and it is remembered that they changed; where they were not asked about a
   * column, or not as about one that is declared, one is asked now.
   *
   * @param anew whether what is remembered will not do
   * @return whether all columns are declared
   */
  private boolean haveTypes(boolean anew) {
    Map<ColumnName, ValueType> declared;
    try {
      declared = anew ? table.knownTypes() : table.declaredTypes();
    } catch (IOException e) {
      throw new UncheckedIOException("the columns of table '" + table.name() + "' are unknown", e);
    }
    boolean all = true;
    for (SqlColumn column : columns) {
      ValueType type = column.isRowKey() ? column.type() : declared.get(column.name());
      all &= type != null;
      if (type != null && type != column.type()) {
        throw new RefusedException(
            "column "
                + column.name()
                + " of table '"
                + table.name()
                + "' is declared as "
                + type
                + ", and this statement reads "
                + column.type()
                + ": prepare it again, with the declared type");
      }
    }
    return all;
  }

  /** Empty if no row can be found. */
  private Optional<Query> query(DataContext context) {
    List<Predicate> predicates = new ArrayList<>();
    KeyRange keys = KeyRange.ALL;
    Conditions values = new Conditions(columns, context::get);
    for (RexNode condition : conditions) {
      Optional<Conditions.Comparison> ofKeys = values.asComparison(condition);
      if (ofKeys.isPresent() && ofKeys.get().left().isRowKey()) {
        keys = keys.and(keys(ofKeys.get(), context));
      } else {
        predicates.add(values.read(condition).orElseThrow().predicate());
      }
    }
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    Query all = predicates.isEmpty() ? Query.all() : Query.where(Conditions.and(predicates));
    Query query = all.range(keys.start(), keys.stop());
    if (figures.isEmpty()) {
      query = selecting(query);
    }
    if (order.isPresent()) {
      query = query.orderBy(columns.get(order.get().field()).quoted(), order.get().direction());
    }
    query = limit > 0 ? query.limit(limit) : query;
    Object timeout = context.get(DataContext.Variable.TIMEOUT.camelName);
    return Optional.of(
        timeout instanceof Long millis && millis > 0
            ? query.timeout(Duration.ofMillis(millis))
            : query);
  }

  private static KeyRange keys(Conditions.Comparison comparison, DataContext context) {
    byte[] key;
    if (comparison.right() instanceof RexDynamicParam parameter) {
      key = key(context.get(parameter.getName()));
    } else {
      key = Literals.bytes((RexLiteral) comparison.right()).orElseThrow();
    }
    return key == null ? KeyRange.NONE : KeyRange.of(comparison.kind(), key);
  }

  private static byte[] key(Object value) {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    if (value instanceof ByteString bytes) {
      return bytes.getBytes();
    }
    throw new RefusedException(
        "rowkey is compared with bytes, not with a "
            + value.getClass().getSimpleName()
            + ": set the parameter by setBytes, or write KEY_BYTES(...)");
  }

  private Query selecting(Query query) {
    List<SqlColumn> selected =
        fields.stream().map(columns::get).filter(c -> !c.isRowKey()).toList();
    List<SqlColumn> present =
        required().stream().map(columns::get).filter(c -> !c.isRowKey()).toList();
    boolean mayLack = present.isEmpty();
    if (mayLack || !selected.stream().allMatch(SqlColumn::isPlain) || !present.get(0).isPlain()) {
      return query;
    }
    List<String> names = new ArrayList<>(selected.stream().map(SqlColumn::quoted).toList());
    if (selected.stream().noneMatch(present::contains)) {
      names.add(present.get(0).quoted());
    }
    return query.select(names.stream().distinct().toArray(String[]::new));
  }

  private Aggregation aggregation() {
    Figures f = figures.orElseThrow();
    Aggregation aggregation =
        Aggregation.of(f.aggregates().stream().map(Figures.Figure::aggregate).toList());
    return f.groupBy().isEmpty()
        ? aggregation
        : aggregation.groupBy(
            f.groupBy().stream().map(columns::get).map(SqlColumn::typed).toArray(String[]::new));
  }

  /** What EXPLAIN shows beside the table: the names and values of its items. */
  void explain(BiConsumer<String, Object> item) {
    item.accept("table", table.name());
    if (!conditions.isEmpty()) {
      item.accept("condition", conditions.stream().map(this::named).toList());
    }
    if (figures.isPresent()) {
      item.accept("groupBy", labels(figures.get().groupBy()));
      item.accept(
          "aggregates",
          figures.get().aggregates().stream().map(Figures.Figure::aggregate).toList());
    } else {
      item.accept("columns", labels(fields));
    }
    order.ifPresent(o -> item.accept("orderBy", labels(List.of(o.field())) + " " + o.direction()));
    if (limit > 0) {
      item.accept("limit", BigDecimal.valueOf(limit));
    }
  }

  private String named(RexNode condition) {
    return condition
        .accept(new NamedFields(columns.stream().map(SqlColumn::label).toList()))
        .toString();
  }

  private String labels(List<Integer> some) {
    return some.stream()
        .map(f -> columns.get(f).label())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PushedQuery other
        && table == other.table
        && columns.equals(other.columns)
        && conditions.equals(other.conditions)
        && fields.equals(other.fields)
        && order.equals(other.order)
        && limit == other.limit
        && figures.equals(other.figures);
  }

  @Override
  public int hashCode() {
    return Objects.hash(conditions, fields, order, limit, figures);
  }
}
