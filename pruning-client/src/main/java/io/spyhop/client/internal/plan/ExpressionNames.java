package io.spyhop.client.internal.plan;

import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.JdbcNamedParameter;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.statement.select.Select;

/** Names unsupported kinds of expressions in the user's words. */
final class ExpressionNames {
  private static final String ARITHMETIC = Addition.class.getPackageName();
  private static final String INSTEAD =
      "; a condition compares a column, or CAST(column AS type), with a literal";

  private ExpressionNames() {}

  /** For example {@code functions are not supported; ...}. */
  static String notSupported(Expression e) {
    return e instanceof NotExpression
        ? "NOT before a column is not supported; what NOT turns round is a condition, a second one"
            + " in parentheses: NOT (NOT a = 1)"
        : of(e) + " not supported" + INSTEAD;
  }

  private static String of(Expression e) {
    if (e instanceof Function) {
      return "functions are";
    }
    if (e instanceof Select || e instanceof ExistsExpression) {
      return "subqueries are";
    }
    if (e.getClass().getPackageName().equals(ARITHMETIC)) {
      return "arithmetic is";
    }
    if (e instanceof CaseExpression) {
      return "CASE is";
    }
    if (e instanceof CastExpression) {
      return "this form of CAST is";
    }
    if (e instanceof JdbcParameter || e instanceof JdbcNamedParameter) {
      return "parameters where a condition stands are";
    }
    return e instanceof ExpressionList ? "lists are" : "this is";
  }
}
