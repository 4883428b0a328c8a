package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.ReduceExpressionsRule;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;

/**
 * Calcite's rules that compute constants, but for expressions with CASE, which COALESCE is, too:
 * they take comparisons into it, and then read NULL as 0, as in {@code a >= COALESCE(b, 5)}.
 */
final class ReducedWithoutCase extends RelOptRule {
  private final RelOptRule calcite;

  private ReducedWithoutCase(RelOptRule calcite) {
    super(operand(calcite.getOperand().getMatchedClass(), any()), "Spyhop" + calcite);
    this.calcite = calcite;
  }

  /** Has a planner keep to that. */
  static void in(RelOptPlanner planner) {
    for (RelOptRule rule : List.copyOf(planner.getRules())) {
      if (rule instanceof ReduceExpressionsRule<?>) {
        planner.removeRule(rule);
        planner.addRule(new ReducedWithoutCase(rule));
      }
    }
  }

  @Override
  public boolean matches(RelOptRuleCall call) {
    return calcite.matches(call) && !hasCase(call.rel(0));
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    calcite.onMatch(call);
  }

  private static boolean hasCase(RelNode node) {
    boolean[] found = new boolean[1];
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            found[0] |= call.getKind() == SqlKind.CASE || call.getKind() == SqlKind.COALESCE;
            return super.visitCall(call);
          }
        });
    return found[0];
  }
}
