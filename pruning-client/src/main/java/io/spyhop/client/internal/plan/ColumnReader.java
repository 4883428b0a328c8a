package io.spyhop.client.internal.plan;

import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.value.ValueType;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.schema.Column;

/** Reads columns: bare, with a family, quoted, or with a type. */
final class ColumnReader {
  private final Complaint complaint;

  ColumnReader(Complaint complaint) {
    this.complaint = complaint;
  }

  /** The column that the expression is; everything else is refused. */
  ColumnRef read(Expression e) {
    Expression plain = Parentheses.strip(e);
    if (plain instanceof Column column && !LiteralReader.isBoolean(column)) {
      return new ColumnRef(name(column), null);
    }
    if (plain instanceof CastExpression cast && isPlainCast(cast)) {
      return new ColumnRef(name((Column) Parentheses.strip(cast.getLeftExpression())), type(cast));
    }
    throw complaint.about(plain, ExpressionNames.notSupported(plain));
  }

  private static boolean isPlainCast(CastExpression cast) {
    return "CAST".equalsIgnoreCase(cast.keyword)
        && cast.getColDataType() != null
        && cast.getFormat() == null
        && Parentheses.strip(cast.getLeftExpression()) instanceof Column;
  }

  private ValueType type(CastExpression cast) {
    try {
      return ValueType.parse(cast.getColDataType().toString());
    } catch (IllegalArgumentException e) {
      throw complaint.about("'" + cast + "': " + e.getMessage(), e);
    }
  }

  private String name(Column column) {
    if (column.getArrayConstructor() != null) {
      throw complaint.about(column, "array elements are not supported");
    }
    String qualifier = complaint.disguise().reveal(unquote(column.getColumnName()));
    if (column.getTable() == null) {
      return qualifier;
    }
    String family = column.getTable().getFullyQualifiedName();
    boolean onePart = column.getTable().getNameParts().size() == 1;
    if (!onePart || family.indexOf(':') >= 0) {
      throw complaint.about(
          column, "is not of the form family.qualifier; write \"family:qualifier\" in quotes");
    }
    return complaint.disguise().reveal(unquote(family)) + ":" + qualifier;
  }

  private static String unquote(String name) {
    char first = name.charAt(0);
    if (first != '"' && first != '`') {
      return name;
    }
    String quote = String.valueOf(first);
    return name.substring(1, name.length() - 1).replace(quote + quote, quote);
  }
}
