package io.spyhop.client.internal.plan;

import io.spyhop.core.predicate.Predicate.Parameter;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcNamedParameter;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.schema.Column;

/**
 * Reads the literals of one condition: Long, BigDecimal, Boolean or String; and parameters. Not
 * thread-safe.
 */
final class LiteralReader {
  private static final int MOST_PARAMETERS = 999_999_999;

  private final Complaint complaint;

  /** Whether parameters have their numbers in the text; null before the first one. */
  private Boolean fixedNumbers;

  LiteralReader(Complaint complaint) {
    this.complaint = complaint;
  }

  /** The literal, or empty if the expression is something else; a malformed one is refused. */
  Optional<Object> read(Expression e) {
    Expression plain = Parentheses.strip(e);
    if (plain instanceof StringValue text) {
      return Optional.of(text(text));
    }
    if (plain instanceof Column column && isBoolean(column)) {
      return Optional.of(Boolean.valueOf(column.getColumnName()));
    }
    if (plain instanceof CastExpression cast && cast.isImplicitCast()) {
      return Optional.of(time(cast));
    }
    if (plain instanceof JdbcParameter numbered) {
      return Optional.of(numbered(numbered));
    }
    if (plain instanceof JdbcNamedParameter named) {
      return Optional.of(new Parameter(named.getName()));
    }
    if (plain instanceof NullValue) {
      throw complaint.about("nothing compares with NULL; use IS NULL or IS NOT NULL");
    }
    return Optional.ofNullable(number(plain));
  }

  private Parameter numbered(JdbcParameter e) {
    boolean fixed = e.isUseFixedIndex();
    if (fixedNumbers != null && fixedNumbers != fixed) {
      throw complaint.about("write ? for all parameters, or a number behind each");
    }
    fixedNumbers = fixed;
    int number = e.getIndex();
    if (number < 1 || number > MOST_PARAMETERS) {
      throw complaint.about(e, "parameters are numbered from 1 to " + MOST_PARAMETERS);
    }
    return new Parameter(Integer.toString(number));
  }

  /** The literal; everything else is refused. */
  Object require(Expression e) {
    return read(e)
        .orElseThrow(() -> complaint.about(e, "must be a literal, with text in single quotes"));
  }

  /** Whether it is TRUE or FALSE, which JSqlParser takes for columns. */
  static boolean isBoolean(Column column) {
    String name = column.getColumnName();
    return column.getTable() == null
        && (name.equalsIgnoreCase("true") || name.equalsIgnoreCase("false"));
  }

  private String text(StringValue e) {
    if (e.getPrefix() != null || !e.toString().startsWith("'")) {
      throw complaint.about(e, "text is written in single quotes, without a prefix");
    }
    return complaint.disguise().reveal(e.getValue()).replace("''", "'");
  }

  private Number number(Expression e) {
    if (e instanceof LongValue whole) {
      return whole(new BigDecimal(whole.getStringValue()));
    }
    if (e instanceof DoubleValue decimal) {
      return decimal(e, decimal.toString());
    }
    if (e instanceof SignedExpression signed && signed.getSign() != '~') {
      return signed(signed);
    }
    return null;
  }

  private Number signed(SignedExpression e) {
    Expression inner = Parentheses.strip(e.getExpression());
    Number magnitude = number(inner);
    if (magnitude == null || e.getSign() == '+') {
      return magnitude;
    }
    BigDecimal negated = new BigDecimal(magnitude.toString()).negate();
    return inner instanceof DoubleValue ? negated : whole(negated);
  }

  private static Number whole(BigDecimal value) {
    boolean isLong = value.scale() == 0 && value.unscaledValue().bitLength() < Long.SIZE;
    return isLong ? (Number) value.longValueExact() : value;
  }

  /** With its exponent apart: 1e999999999 is one digit. */
  private BigDecimal decimal(Expression e, String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException notANumber) {
      throw complaint.about(
          "'" + e + "' is not a decimal number with an exponent of 32 bits", notANumber);
    }
  }

  private String time(CastExpression e) {
    if (!(e.getLeftExpression() instanceof StringValue quoted)) {
      throw complaint.about(e, "write the value in single quotes");
    }
    String text = text(quoted);
    String type = String.valueOf(e.getColDataType()).toUpperCase(Locale.ROOT);
    try {
      switch (type) {
        case "DATE" -> LocalDate.parse(text);
        case "TIMESTAMP" -> DateTimeFormatter.ISO_DATE_TIME.parse(text.trim().replace(' ', 'T'));
        default -> throw complaint.about(e, "only DATE and TIMESTAMP literals are supported");
      }
      return text;
    } catch (DateTimeException wrong) {
      throw complaint.about(
          "'"
              + e
              + "' is not a date such as DATE '1997-03-10' or a time such as"
              + " TIMESTAMP '1997-03-10 12:00:00'",
          wrong);
    }
  }
}
