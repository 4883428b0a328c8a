package io.spyhop.core.predicate;

import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexSchema;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/** Finds columns in the schema of one table. Immutable, thread-safe. */
public final class SchemaResolver {
  private final String table;
  private final IndexSchema schema;
  private final List<String> families;

  /**
   * @param table the table's name, for messages
   * @param schema its declared columns
   * @param families its column families as text, so that a bare qualifier with an explicit type is
   *     found in a table of one family
   */
  public SchemaResolver(String table, IndexSchema schema, List<String> families) {
    this.table = Objects.requireNonNull(table);
    this.schema = Objects.requireNonNull(schema);
    this.families = List.copyOf(families);
  }

  /** The table's name, for messages. */
  String table() {
    return table;
  }

  /**
   * The column behind a reference.
   *
   * @throws UnknownColumnException if it is not declared and carries no type, if a bare qualifier
   *     is ambiguous, or if the family does not exist
   */
  public BoundColumn resolve(ColumnRef ref) {
    ColumnName name = ref.text().indexOf(':') > 0 ? qualified(ref) : bare(ref);
    if (ref.type() != null) {
      return new BoundColumn(name, ref.type());
    }
    return schema.typeOf(name).map(t -> new BoundColumn(name, t)).orElseThrow(() -> unknown(ref));
  }

  private ColumnName qualified(ColumnRef ref) {
    ColumnName name = ColumnName.parse(ref.text());
    String family = Bytes.toStringBinary(name.family());
    if (!families.contains(family)) {
      throw new UnknownColumnException(
          "table '"
              + table
              + "' has no column family '"
              + family
              + "' (column '"
              + ref.text()
              + "')");
    }
    return name;
  }

  private ColumnName bare(ColumnRef ref) {
    List<ColumnName> found =
        schema.columns().stream()
            .filter(c -> c.qualifierText().equals(ref.text()))
            .collect(Collectors.toList());
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.size() > 1) {
      throw new UnknownColumnException(
          "table '" + table + "': column '" + ref.text() + "' is ambiguous, it may be " + found);
    }
    if (ref.type() != null && families.size() == 1) {
      return ColumnName.parse(families.get(0) + ":" + ref.text());
    }
    throw unknown(ref);
  }

  private UnknownColumnException unknown(ColumnRef ref) {
    boolean anyFamily = ref.text().indexOf(':') < 0 && families.size() > 1;
    return new UnknownColumnException(
        "table '"
            + table
            + "': unknown column '"
            + ref.text()
            + "'; declared by indexes: "
            + schema.columns()
            + ". Write CAST("
            + (anyFamily ? "family:" : "")
            + ref.text()
            + " AS type) for another column"
            + (anyFamily ? ", with one of the families " + families : ""));
  }
}
