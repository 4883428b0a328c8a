package io.spyhop.client.internal.plan;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.predicate.UnknownColumnException;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.TableDefinitions;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The properties of a table that queries depend on. Immutable, thread-safe.
 *
 * @param table the table's name
 * @param indexes its indexes
 * @param families its column families, bytes that are not printable as {@code \xNN}
 * @param readWhole those with new version behaviour: reads of single columns may never end there
 *     (docs/decisions/0007)
 * @param keys how its rows are stored, if it has buckets
 */
public record TableSchema(
    TableName table,
    IndexSchema indexes,
    List<String> families,
    Set<String> readWhole,
    Optional<BucketKeys> keys) {
  private static final Set<String> GENERAL_HINTS =
      Set.of(Attributes.PATH_AUTO, Attributes.PATH_SCAN, Attributes.PATH_INDEX);

  /**
   * The schema that a table's regions tell.
   *
   * @throws InvalidBucketsException if it has buckets that this version cannot read
   */
  public static TableSchema of(TableName table, TableDefinitions definitions) {
    List<String> families =
        definitions.families().stream().map(f -> Bytes.toStringBinary(f.name())).toList();
    Set<String> readWhole =
        definitions.families().stream()
            .filter(TableDefinitions.Family::newVersionBehavior)
            .map(f -> Bytes.toStringBinary(f.name()))
            .collect(Collectors.toUnmodifiableSet());
    return new TableSchema(
        table, definitions.indexes(), families, readWhole, keys(table, definitions));
  }

  private static Optional<BucketKeys> keys(TableName table, TableDefinitions definitions) {
    try {
      return definitions.buckets().map(text -> BucketOptions.parse(text).keys());
    } catch (InvalidBucketsException e) {
      throw new InvalidBucketsException("table '" + table + "': " + e.getMessage(), e);
    }
  }

  /**
   * Gives a predicate's columns and literals their types.
   *
   * @throws io.spyhop.core.predicate.UnknownColumnException if a column cannot be resolved
   * @throws io.spyhop.core.predicate.InvalidPredicateException if a literal does not fit
   */
  public BoundPredicate bind(Predicate predicate) {
    return Binder.bind(predicate, new SchemaResolver(table.getNameAsString(), indexes, families));
  }

  /**
   * Gives a predicate's columns and literals their types, and has it ask for a value in a column.
   *
   * @param predicate null for every row
   * @param column as the user named it: a column, or else an index of one
   * @throws io.spyhop.core.predicate.UnknownColumnException if a column cannot be resolved
   * @throws io.spyhop.core.predicate.InvalidPredicateException if a literal does not fit
   */
  public Binder.Valued bindValued(Predicate predicate, String column) {
    SchemaResolver resolver = new SchemaResolver(table.getNameAsString(), indexes, families);
    try {
      return Binder.bindValued(predicate, WhereParser.column("ORDER BY", column), resolver);
    } catch (UnknownColumnException e) {
      IndexDefinition named = indexes.index(column).orElseThrow(() -> OrderAdvice.on(column, e));
      ColumnRef ref = new ColumnRef(named.column().toString(), named.type());
      return Binder.bindValued(predicate, ref, resolver);
    }
  }

  /**
   * A column with its type.
   *
   * @param named as the user named it
   * @param predicate says the type of a column whose type is neither declared nor named
   * @throws io.spyhop.core.predicate.UnknownColumnException if it cannot be resolved
   */
  BoundColumn typed(String named, BoundPredicate predicate) {
    return typed("AGGREGATE", named, predicate);
  }

  private BoundColumn typed(String clause, String named, BoundPredicate predicate) {
    String name = named.indexOf('(') < 0 ? WhereParser.unquoted(named) : named;
    ColumnRef ref = WhereParser.column(clause, name);
    try {
      return new SchemaResolver(table.getNameAsString(), indexes, families).resolve(ref);
    } catch (UnknownColumnException e) {
      return predicate.columns().stream()
          .filter(c -> ref.type() == null)
          .filter(c -> c.name().toString().equals(name) || c.name().qualifierText().equals(name))
          .findFirst()
          .orElseThrow(() -> e);
    }
  }

  /**
   * A column with its type.
   *
   * @param named as in conditions; {@code CAST(d:custkey AS LONG)} where no type is declared
   * @throws io.spyhop.core.predicate.UnknownColumnException if it cannot be resolved
   */
  public BoundColumn typed(String named) {
    return typed("column", named, BoundPredicate.everyRow());
  }

  /** Whether a column's type is the one that the table declares, as far as it is known here. */
  boolean isDeclared(BoundColumn column) {
    return indexes.typeOf(column.name()).filter(t -> t == column.type()).isPresent();
  }

  /**
   * Checks a hint.
   *
   * @throws InvalidQueryException if it is neither {@code auto}, {@code scan} nor {@code index} nor
   *     the name of an index of the table
   */
  public void checkHint(String hint) {
    if (!GENERAL_HINTS.contains(hint) && indexes.index(hint).isEmpty()) {
      throw new InvalidQueryException(
          "table '"
              + table
              + "' has no index '"
              + hint
              + "' to be hinted at; hints are auto,"
              + " scan, index or one of "
              + indexNames());
    }
  }

  private List<String> indexNames() {
    return indexes.indexes().stream().map(IndexDefinition::name).collect(Collectors.toList());
  }

  /**
   * The column behind a name in a selection: {@code family:qualifier}, or a bare qualifier that is
   * either declared by exactly one index or stands in the table's only family.
   *
   * @throws InvalidQueryException if the family does not exist or the name is ambiguous or unknown
   */
  public ColumnName column(String name) {
    int colon = name.indexOf(':');
    if (colon > 0) {
      ColumnName column = ColumnName.parse(name);
      requireFamily(Bytes.toStringBinary(column.family()), name);
      return column;
    }
    List<ColumnName> declared =
        indexes.columns().stream()
            .filter(c -> c.qualifierText().equals(name))
            .collect(Collectors.toList());
    if (declared.size() == 1) {
      return declared.get(0);
    }
    if (declared.isEmpty() && families.size() == 1 && !name.isEmpty()) {
      return ColumnName.parse(families.get(0) + ":" + name);
    }
    throw new InvalidQueryException(
        "table '"
            + table
            + "': selected column '"
            + name
            + "' is "
            + (declared.isEmpty() ? "unknown" : "ambiguous, it may be " + declared)
            + "; write family:qualifier, with one of the families "
            + families);
  }

  /** Throws if the table lacks the family. */
  void requireFamily(String family, String selected) {
    if (!families.contains(family)) {
      throw new InvalidQueryException(
          "table '"
              + table
              + "' has no column family '"
              + family
              + "' (selected '"
              + selected
              + "'); it has "
              + families);
    }
  }
}
