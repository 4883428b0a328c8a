package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableNestedLoopJoin;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/** Joins by nested loops read their right side once; Calcite's ask for it for each left row. */
final class NestedLoops {
  private NestedLoops() {}

  /** Has a planner keep to that. */
  static void in(RelOptPlanner planner) {
    planner.removeRule(EnumerableRules.ENUMERABLE_JOIN_RULE);
    planner.addRule(
        ConverterRule.Config.INSTANCE
            .withConversion(
                LogicalJoin.class,
                Convention.NONE,
                EnumerableConvention.INSTANCE,
                "SpyhopEnumerableJoinRule")
            .withRuleFactory(JoinRule::new)
            .toRule(JoinRule.class));
  }

  /** As Calcite's, but for the right side of nested loops. */
  static final class JoinRule extends ConverterRule {
    JoinRule(Config config) {
      super(config);
    }

    @Override
    public RelNode convert(RelNode rel) {
      RelNode join = ((ConverterRule) EnumerableRules.ENUMERABLE_JOIN_RULE).convert(rel);
      if (!(join instanceof EnumerableNestedLoopJoin loops)) {
        return join;
      }
      if (loops.getJoinType().generatesNullsOnLeft()) {
        return null; // Calcite's loops keep rows of the right in a set, where equal ones are one
      }
      return EnumerableNestedLoopJoin.create(
          loops.getLeft(),
          new Kept(loops.getRight().getTraitSet(), loops.getRight()),
          loops.getCondition(),
          loops.getVariablesSet(),
          loops.getJoinType());
    }
  }

  /** The rows of its input, read once. */
  static final class Kept extends SingleRel implements EnumerableRel {
    Kept(RelTraitSet traits, RelNode input) {
      super(input.getCluster(), traits, input);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
      return new Kept(traits, sole(inputs));
    }

    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
      double rows = metadata.getRowCount(getInput());
      return planner.getCostFactory().makeCost(rows, rows, 0);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
      Result rows = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
      BlockBuilder code = new BlockBuilder();
      code.add(
          Expressions.return_(
              null, Expressions.call(KeptRows.class, "of", code.append("rows", rows.block))));
      return implementor.result(rows.physType, code.toBlock());
    }
  }
}
