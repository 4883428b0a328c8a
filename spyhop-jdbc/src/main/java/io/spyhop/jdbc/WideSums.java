package io.spyhop.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Sums of BIGINT are DECIMAL, and Calcite's code adds only numbers of the sum's type: where the
 * client adds up, they are cast before.
 */
final class WideSums {
  private WideSums() {}

  /** Has a planner keep to that. */
  static void in(RelOptPlanner planner) {
    planner.removeRule(EnumerableRules.ENUMERABLE_AGGREGATE_RULE);
    planner.addRule(new CastRule());
    planner.addRule(new GroupingTotals());
    planner.addRule(
        ConverterRule.Config.INSTANCE
            .withConversion(
                LogicalAggregate.class,
                Convention.NONE,
                EnumerableConvention.INSTANCE,
                "SpyhopEnumerableAggregateRule")
            .withRuleFactory(AggregateRule::new)
            .toRule(AggregateRule.class));
  }

  private static boolean isWide(AggregateCall call, RelNode input) {
    SqlKind kind = call.getAggregation().getKind();
    return (kind == SqlKind.SUM || kind == SqlKind.SUM0)
        && call.getType().getSqlTypeName() == SqlTypeName.DECIMAL
        && argument(call, input) != SqlTypeName.DECIMAL;
  }

  private static SqlTypeName argument(AggregateCall call, RelNode input) {
    int place = call.getArgList().get(0);
    return input.getRowType().getFieldList().get(place).getType().getSqlTypeName();
  }

  /** As Calcite's, for what its code can compute. */
  static final class AggregateRule extends ConverterRule {
    AggregateRule(Config config) {
      super(config);
    }

    @Override
    public RelNode convert(RelNode rel) {
      LogicalAggregate aggregate = (LogicalAggregate) rel;
      boolean wide =
          aggregate.getAggCallList().stream().anyMatch(c -> isWide(c, aggregate.getInput()));
      return wide || GroupingTotals.isIn(aggregate)
          ? null
          : ((ConverterRule) EnumerableRules.ENUMERABLE_AGGREGATE_RULE).convert(rel);
    }
  }

  private static final class CastRule extends RelOptRule {
    CastRule() {
      super(operand(LogicalAggregate.class, any()), "SpyhopWideSumRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalAggregate aggregate = call.rel(0);
      RelNode input = aggregate.getInput();
      RexBuilder rex = aggregate.getCluster().getRexBuilder();
      List<RexNode> fields = new ArrayList<>();
      input
          .getRowType()
          .getFieldList()
          .forEach(f -> fields.add(rex.makeInputRef(input, f.getIndex())));
      List<AggregateCall> calls = new ArrayList<>();
      for (AggregateCall c : aggregate.getAggCallList()) {
        if (isWide(c, input)) {
          RexNode argument = fields.get(c.getArgList().get(0));
          calls.add(c.withArgList(List.of(fields.size())));
          fields.add(
              rex.makeCast(
                  rex.getTypeFactory()
                      .createTypeWithNullability(c.getType(), argument.getType().isNullable()),
                  argument));
        } else {
          calls.add(c);
        }
      }
      if (fields.size() > input.getRowType().getFieldCount()) {
        RelNode cast =
            LogicalProject.create(input, List.of(), fields, (List<String>) null, Set.of());
        call.transformTo(
            aggregate.copy(
                aggregate.getTraitSet(),
                cast,
                aggregate.getGroupSet(),
                (List<ImmutableBitSet>) aggregate.getGroupSets(),
                calls));
      }
    }
  }
}
