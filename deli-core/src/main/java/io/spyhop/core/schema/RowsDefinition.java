package io.spyhop.core.schema;

import io.spyhop.core.value.ValueType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The definition of what the columnar indexes of a family share: files that tell where each row of
 * an HFile is. It follows from the family alone, so that indexes come and go without it. No schema
 * has it, and no index can have its name. Stateless.
 */
public final class RowsDefinition {
  /** The name. */
  public static final String NAME = "@rows";

  private RowsDefinition() {}

  /** The definition for a family. */
  public static IndexDefinition of(byte[] family) {
    return IndexDefinition.builder(NAME)
        .reserved()
        .column(ColumnName.of(family, new byte[0]))
        .type(ValueType.BYTES)
        .layout(Layout.COLUMNAR)
        .incarnation(0)
        .build();
  }

  /** Whether it is such a definition, and none of an index. */
  public static boolean is(IndexDefinition definition) {
    return definition.name().equals(NAME);
  }

  /** Local indexes of a table, and for each family with a columnar one the rows. */
  public static List<IndexDefinition> with(List<IndexDefinition> indexes) {
    Set<IndexDefinition> all = new LinkedHashSet<>(indexes);
    for (IndexDefinition d : indexes) {
      if (d.local().layout() == Layout.COLUMNAR) {
        all.add(of(d.column().family()));
      }
    }
    return List.copyOf(all);
  }

  /**
   * Reads name and text of what has files: an index, or rows.
   *
   * @throws InvalidIndexException if they are neither
   */
  public static IndexDefinition parse(String name, String text) {
    if (!name.equals(NAME)) {
      return IndexDefinition.parse(name, text);
    }
    IndexDefinition rows = of(DefinitionText.parse("rows", text).column().family());
    if (!rows.text().equals(text)) {
      throw new InvalidIndexException("'" + text + "' are no rows of this version");
    }
    return rows;
  }
}
