package io.spyhop.core.predicate;

import io.spyhop.core.predicate.Predicate.ColumnRef;
import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes a predicate as a condition in SQL, so that the client's parser reads the same again.
 * Stateless.
 *
 * <p>A number whose exponent is beyond 10,000 is written all the same, and is not read again.
 */
final class PredicateText {
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Words that mean something where a column may stand. */
  private static final Set<String> RESERVED =
      Set.of(
          ("ABSENT ALL AND APPROXIMATE AS BETWEEN BOTH CASE CHECK CONNECT_BY_ROOT CONSTRAINT CROSS"
                  + " CURRENT DBA_RECYCLEBIN DISTINCT ELSE EXCEPT EXCLUDES EXISTS FALSE FETCH FINAL"
                  + " FOR FORCE FOREIGN FROM FULL GROUP_CONCAT HAVING HIGH_PRIORITY ILIKE INCLUDES"
                  + " INCLUDE_NULL_VALUES INNER INTERSECT INTERVAL INTO IS JOIN JSON_ARRAY"
                  + " JSON_ARRAYAGG JSON_OBJECT JSON_OBJECTAGG LATERAL LIKE LOW_PRIORITY MINUS NATURAL"
                  + " NOCYCLE NOT NULL ONLY OR OUTER OUTPUT PIVOT PRIOR RETURNING SAFE_CAST SAMPLE"
                  + " SEMI SQL_CACHE SQL_CALC_FOUND_ROWS SQL_NO_CACHE STRAIGHT_JOIN TABLESAMPLE"
                  + " TRAILING TRIM TRUE TRY_CAST UNBOUNDED UNION UNIQUE UNPIVOT USE USING VALUE"
                  + " VALUES WHEN WHERE WINDOW WITH WITHOUT_ARRAY_WRAPPER XMLSERIALIZE XOR")
              .split(" "));

  private PredicateText() {}

  static String column(ColumnRef column) {
    String name = name(column.text());
    return column.type() == null ? name : "CAST(" + name + " AS " + column.type() + ")";
  }

  private static String name(String text) {
    boolean plain =
        WORD.matcher(text).matches() && !RESERVED.contains(text.toUpperCase(Locale.ROOT));
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  static String literal(Object literal) {
    boolean plain =
        literal instanceof Predicate.Parameter
            || literal instanceof Number
                && Double.isFinite(
                    literal instanceof Double d ? d : literal instanceof Float f ? f : 0);
    return plain || literal instanceof Boolean ? literal.toString() : quoted(text(literal));
  }

  /** A LIKE pattern for what begins with a prefix. */
  static String pattern(Object prefix) {
    if (prefix instanceof Predicate.Parameter) {
      return prefix.toString();
    }
    String text = text(prefix).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return quoted(text + "%");
  }

  private static String text(Object literal) {
    if (literal instanceof byte[] bytes) {
      return Bytes.toStringBinary(bytes);
    }
    return literal instanceof Date date
        ? Instant.ofEpochMilli(date.getTime()).toString()
        : literal.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
