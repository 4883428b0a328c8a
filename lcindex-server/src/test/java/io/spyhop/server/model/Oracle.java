package io.spyhop.server.model;

import io.spyhop.core.predicate.Predicate;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The meaning of a predicate, written down a second time and as plainly as possible: three-valued
 * logic (null is unknown) on decoded values.
 */
final class Oracle {
  private Oracle() {}

  static boolean matches(Predicate p, Result row) {
    return Boolean.TRUE.equals(truth(p, row));
  }

  private static Boolean truth(Predicate p, Result row) {
    if (p instanceof Predicate.And and) {
      return all(and.children(), row);
    }
    if (p instanceof Predicate.Or or) {
      List<Predicate> negated = or.children().stream().map(Predicate::not).toList();
      return not(all(negated, row));
    }
    if (p instanceof Predicate.Not n) {
      return not(truth(n.child(), row));
    }
    if (p instanceof Predicate.IsNull n) {
      return stored(n.column().text(), row) == null;
    }
    if (p instanceof Predicate.Comparison c) {
      Integer order = order(c.column().text(), row, c.literal());
      return order == null ? null : holds(c.operator(), order);
    }
    if (p instanceof Predicate.Between b) {
      Integer low = order(b.column().text(), row, b.low());
      Integer high = order(b.column().text(), row, b.high());
      return low == null || high == null ? null : low >= 0 && high <= 0;
    }
    if (p instanceof Predicate.In in) {
      return in(in, row);
    }
    Predicate.Prefix prefix = (Predicate.Prefix) p;
    Object value = value(prefix.column().text(), row);
    return value == null ? null : ((String) value).startsWith((String) prefix.prefix());
  }

  private static Boolean all(List<Predicate> children, Result row) {
    Boolean result = true;
    for (Predicate child : children) {
      Boolean t = truth(child, row);
      if (Boolean.FALSE.equals(t)) {
        return false;
      }
      result = t == null ? null : result;
    }
    return result;
  }

  private static Boolean not(Boolean b) {
    return b == null ? null : !b;
  }

  private static Boolean in(Predicate.In in, Result row) {
    if (value(in.column().text(), row) == null) {
      return null;
    }
    return in.literals().stream().anyMatch(l -> order(in.column().text(), row, l) == 0);
  }

  private static boolean holds(Predicate.Operator operator, int order) {
    return switch (operator) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  private static Integer order(String column, Result row, Object literal) {
    Object value = value(column, row);
    if (value == null) {
      return null;
    }
    if (value instanceof String s) {
      return Arrays.compareUnsigned(
          s.getBytes(StandardCharsets.UTF_8), ((String) literal).getBytes(StandardCharsets.UTF_8));
    }
    if (value instanceof Double d) {
      return Double.compare(d + 0.0, (Double) literal + 0.0);
    }
    if (value instanceof BigDecimal d) {
      return d.compareTo((BigDecimal) literal);
    }
    return Long.compare((Long) value, (Long) literal);
  }

  private static Object value(String column, Result row) {
    byte[] b = stored(column, row);
    if (b == null) {
      return null;
    }
    return switch (column(column)) {
      case A -> b.length == 8 ? Bytes.toLong(b) : null;
      case C -> b.length == 8 ? Bytes.toDouble(b) : null;
      case B -> b.length > 0 && b[0] == (byte) 0xff ? null : Bytes.toString(b);
      case D -> b.length > 0 && b[0] == 7 ? null : Long.valueOf(Bytes.toString(b));
      case E -> b.length < 5 ? null : Bytes.toBigDecimal(b);
    };
  }

  private static Column column(String text) {
    return Arrays.stream(Column.values()).filter(c -> c.text().equals(text)).findFirst().get();
  }

  private static byte[] stored(String column, Result row) {
    Column c = column(column);
    var cell = row.getColumnLatestCell(c.family(), c.qualifier());
    return cell == null ? null : CellUtil.cloneValue(cell);
  }
}
