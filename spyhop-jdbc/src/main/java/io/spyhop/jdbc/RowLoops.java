package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableCorrelate;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/** Subqueries that are asked anew for each row read their tables once; Calcite's for each row. */
final class RowLoops {
  private static final String IN_LOOP = "spyhop.loop";

  private RowLoops() {}

  /** Has a planner keep to that. */
  static void in(RelOptPlanner planner) {
    planner.removeRule(EnumerableRules.ENUMERABLE_CORRELATE_RULE);
    planner.addRule(
        ConverterRule.Config.INSTANCE
            .withConversion(
                LogicalCorrelate.class,
                Convention.NONE,
                EnumerableConvention.INSTANCE,
                "SpyhopEnumerableCorrelateRule")
            .withRuleFactory(CorrelateRule::new)
            .toRule(CorrelateRule.class));
  }

  /** Whether code is made that runs for each row of a loop. */
  static boolean isIn(EnumerableRelImplementor implementor) {
    return depth(implementor) > 0;
  }

  private static int depth(EnumerableRelImplementor implementor) {
    return (int) implementor.map.getOrDefault(IN_LOOP, 0);
  }

  /** As Calcite's, but for what is read in the loop. */
  static final class CorrelateRule extends ConverterRule {
    CorrelateRule(Config config) {
      super(config);
    }

    @Override
    public RelNode convert(RelNode rel) {
      RelNode converted = ((ConverterRule) EnumerableRules.ENUMERABLE_CORRELATE_RULE).convert(rel);
      return converted instanceof EnumerableCorrelate loop
          ? EnumerableCorrelate.create(
              loop.getLeft(),
              new Looped(loop.getRight().getTraitSet(), loop.getRight()),
              loop.getCorrelationId(),
              loop.getRequiredColumns(),
              loop.getJoinType())
          : converted;
    }
  }

  /** The rows of its input, computed for each row of the loop. */
  static final class Looped extends SingleRel implements EnumerableRel {
    Looped(RelTraitSet traits, RelNode input) {
      super(input.getCluster(), traits, input);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
      return new Looped(traits, sole(inputs));
    }

    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
      return planner.getCostFactory().makeTinyCost();
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
      int depth = depth(implementor);
      implementor.map.put(IN_LOOP, depth + 1);
      Result rows = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
      implementor.map.put(IN_LOOP, depth); // names in the code follow from the map's size
      return rows;
    }
  }
}
