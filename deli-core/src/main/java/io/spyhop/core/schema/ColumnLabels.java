package io.spyhop.core.schema;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names columns where users see rows as a table, as in SQL and data frames. Stateless, thread-safe.
 */
public final class ColumnLabels {
  /** The row key's name. */
  public static final String ROW_KEY = "rowkey";

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:-]+");

  private ColumnLabels() {}

  /**
   * The columns by their labels, in the order of these: the qualifier where that is unambiguous,
   * and {@code family:qualifier} otherwise.
   */
  public static SortedMap<String, ColumnName> of(Collection<ColumnName> columns) {
    Map<String, Integer> named = new HashMap<>();
    columns.forEach(c -> named.merge(c.qualifierText(), 1, Integer::sum));
    SortedMap<String, ColumnName> labels = new TreeMap<>();
    for (ColumnName column : columns) {
      String qualifier = column.qualifierText();
      boolean mayBeShort =
          named.get(qualifier) == 1
              && !qualifier.isEmpty()
              && qualifier.indexOf(':') < 0 // it would look like another column's whole name
              && !qualifier.equals(ROW_KEY);
      labels.put(mayBeShort ? qualifier : column.toString(), column);
    }
    return labels;
  }

  /** Whether a column's name is the same wherever the client takes names of columns. */
  public static boolean isPlain(ColumnName column) {
    return PLAIN.matcher(column.toString()).matches() && column.qualifier().length > 0;
  }

  /** A column's name where a column is named: {@code "d:price"}. */
  public static String quoted(ColumnName column) {
    return '"' + column.toString() + '"';
  }
}
