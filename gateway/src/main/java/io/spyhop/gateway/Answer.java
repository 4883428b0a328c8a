package io.spyhop.gateway;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Query;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.Predicates.ColumnExpression;
import io.spyhop.core.schema.ColumnLabels;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A query with the columns of its answer, by what the table declared when it was made. Immutable,
 * thread-safe.
 *
 * <p>A query that selects columns leaves out rows that have none of them, and an answer does not:
 * columns are selected only where the condition is not true of rows that lack all of its columns.
 *
 * @param query with the selection of what has to come from HBase
 * @param columns at least one
 * @param declared types of those that are read as declared
 */
record Answer(
    IndexedTable table,
    Query query,
    List<AnswerColumn> columns,
    Map<ColumnName, ValueType> declared) {
  private static final Pattern CAST =
      Pattern.compile("\\s*CAST\\s*\\((.+)\\sAS\\s+(\\w+)\\s*\\)\\s*", Pattern.CASE_INSENSITIVE);

  /**
   * Binds a query to its table.
   *
   * @throws IllegalArgumentException if it does not fit the table
   * @throws IOException if the table's definitions cannot be read
   */
  static Answer of(IndexedTable table, QueryRequest request) throws IOException {
    // By definitions that are asked for anew, and not for longer than the query may take.
    BoundPredicate condition = table.bind(request.query());
    List<AnswerColumn> declared = declared(table.declaredTypes());
    Map<ColumnName, ValueType> types = new HashMap<>();
    List<AnswerColumn> columns = new ArrayList<>();
    Set<String> labels = new HashSet<>();
    for (String named : request.columns().orElse(labels(declared))) {
      AnswerColumn column = column(table, declared, named);
      if (!labels.add(column.label())) {
        throw new InvalidQueryException("column '" + column.label() + "' is named twice");
      }
      columns.add(column);
      if (column.name() != null && declared.contains(column)) {
        types.put(column.name(), column.type());
      }
    }
    Query query = selecting(request.query(), condition, columns);
    return new Answer(table, query, List.copyOf(columns), Map.copyOf(types));
  }

  /**
   * Checks that columns have the types still by which values are read; to be called when the first
   * row has come, or none.
   *
   * @throws InvalidQueryException if one is declared anew
   * @throws IOException if the table cannot be asked
   */
  void requireTypes() throws IOException {
    Map<ColumnName, ValueType> now = declared.isEmpty() ? Map.of() : table.knownTypes();
    for (AnswerColumn column : columns) {
      ValueType read = column.name() == null ? null : declared.get(column.name());
      ValueType type = read == null ? null : now.get(column.name());
      if (type != null && type != read) {
        throw new InvalidQueryException(
            "column '"
                + column.label()
                + "' of table '"
                + table.name()
                + "' has just been declared as "
                + type
                + ": ask again");
      }
    }
  }

  /** The row key and all declared columns. */
  static List<AnswerColumn> declared(Map<ColumnName, ValueType> types) {
    SortedMap<String, ColumnName> labels = ColumnLabels.of(types.keySet());
    List<AnswerColumn> declared = new ArrayList<>();
    declared.add(AnswerColumn.rowKey());
    labels.forEach((label, name) -> declared.add(new AnswerColumn(label, name, types.get(name))));
    return declared;
  }

  static Schema schema(List<AnswerColumn> columns) {
    return new Schema(columns.stream().map(AnswerColumn::field).toList());
  }

  private static List<String> labels(List<AnswerColumn> columns) {
    return columns.stream().map(AnswerColumn::label).toList();
  }

  private static AnswerColumn column(IndexedTable table, List<AnswerColumn> declared, String named)
      throws IOException {
    Matcher cast = CAST.matcher(named);
    String name = unquoted(cast.matches() ? cast.group(1).strip() : named);
    for (AnswerColumn column : declared) {
      if (column.label().equals(name) && !cast.matches()) {
        return column;
      }
    }
    ColumnExpression expression =
        cast.matches()
            ? Predicates.column(name, ValueType.parse(cast.group(2)))
            : Predicates.column(name);
    Query any = Query.where(expression.isNotNull());
    BoundColumn bound = table.bind(any).columns().get(0);
    return new AnswerColumn(name, bound.name(), bound.type());
  }

  /** Names may stand in double quotes, as in conditions. */
  private static String unquoted(String name) {
    boolean quoted = name.length() > 2 && name.startsWith("\"") && name.endsWith("\"");
    return quoted ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
  }

  private static Query selecting(
      Query query, BoundPredicate condition, List<AnswerColumn> columns) {
    Set<ColumnName> names = new TreeSet<>();
    columns.stream().filter(c -> c.name() != null).forEach(c -> names.add(c.name()));
    condition.columns().forEach(c -> names.add(c.name()));
    boolean mayLackAll = condition.isEveryRow() || condition.asksForAbsence();
    return mayLackAll || !names.stream().allMatch(ColumnLabels::isPlain)
        ? query
        : query.select(names.stream().map(ColumnLabels::quoted).toArray(String[]::new));
  }
}
