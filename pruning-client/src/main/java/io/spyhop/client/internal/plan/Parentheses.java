package io.spyhop.client.internal.plan;

import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;

/** Parentheses around one expression, which JSqlParser takes for a list of one. */
final class Parentheses {
  private Parentheses() {}

  /** What stands within, as deep as they go; the expression itself where there are none. */
  static Expression strip(Expression e) {
    Expression inner = e;
    while (inner instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      inner = list.get(0);
    }
    return inner;
  }
}
