package io.spyhop.client;

import io.spyhop.client.internal.query.BoundQuery;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;

/**
 * Finds probable mistakes in queries that are answered all the same: tables have no schema but what
 * indexes declare, and an index must not turn a query into an error. One line each. Not
 * thread-safe.
 */
public final class QueryRemarks {
  private final TableName table;
  private final BoundPredicate predicate;
  private final List<String> ofCondition;
  private final Set<ColumnName> unseen;
  private final ValueSample sample;

  private QueryRemarks(
      TableName table,
      BoundPredicate predicate,
      List<String> ofCondition,
      Set<ColumnName> unseen,
      ValueSample sample) {
    this.table = table;
    this.predicate = predicate;
    this.ofCondition = ofCondition;
    this.unseen = unseen;
    this.sample = sample;
  }

  static QueryRemarks of(TableName table, BoundQuery query, ValueSample sample) {
    BoundPredicate predicate = query.predicate();
    List<String> ofCondition = new ArrayList<>();
    for (BoundColumn column : predicate.columns()) {
      otherType(table, column, query.indexes()).ifPresent(ofCondition::add);
    }
    Set<ColumnName> undeclared = new TreeSet<>(query.projection().columns());
    undeclared.removeIf(c -> query.indexes().typeOf(c).isPresent());
    predicate.columns().forEach(c -> undeclared.remove(c.name()));
    return new QueryRemarks(table, predicate, List.copyOf(ofCondition), undeclared, sample);
  }

  private static Optional<String> otherType(
      TableName table, BoundColumn column, IndexSchema indexes) {
    return indexes
        .typeOf(column.name())
        .filter(declared -> declared != column.type())
        .map(declared -> otherType(table, column, declared));
  }

  private static String otherType(TableName table, BoundColumn column, ValueType declared) {
    return "table '"
        + table
        + "' declares column "
        + column.name()
        + " as "
        + declared
        + ", but the query reads it as "
        + column.type()
        + ": values that are none match nothing, and no index helps. Leave out the CAST to read"
        + " it as declared; if its indexes have the wrong type, drop them and create them with"
        + " the right one";
  }

  /** Columns that an index declares with another type than the query says; known at once. */
  public List<String> ofCondition() {
    return ofCondition;
  }

  /** Takes note of a row of the answer. */
  public void saw(Result row) {
    if (!unseen.isEmpty()) {
      unseen.removeIf(c -> row.containsColumn(c.family(), c.qualifier()));
    }
  }

  /**
   * What the answer has not, and why that may be.
   *
   * <p>If no row satisfies the condition: columns of it of whose first values none has the type by
   * which they are compared; a few rows are read to find out. Otherwise selected columns that no
   * index declares, that the condition does not name, and that none of the rows had that were seen.
   *
   * @param rows the answer, read to its end
   */
  public List<String> ofRows(RowCursor rows) {
    if (!predicate.isEveryRow() && rows.count() + rows.emptied() == 0) {
      return predicate.columns().stream()
          .flatMap(c -> sample.misfit(c.name(), c.type()).stream())
          .toList();
    }
    return unseen.isEmpty() ? List.of() : List.of(ofUnseen());
  }

  private String ofUnseen() {
    boolean one = unseen.size() == 1;
    return "table '"
        + table
        + (predicate.isEveryRow()
            ? "': no row has "
            : "': rows satisfy the condition, but none has ")
        + (one ? "the selected column " : "any of the selected columns ")
        + String.join(", ", unseen.stream().map(ColumnName::toString).toList())
        + ", and no index declares "
        + (one ? "it" : "them")
        + ": check the spelling. Rows without any selected column are not returned";
  }
}
