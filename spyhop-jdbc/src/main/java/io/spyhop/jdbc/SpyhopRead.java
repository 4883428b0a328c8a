package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/** Runs a pushed query. Immutable. */
final class SpyhopRead extends SpyhopScan implements EnumerableRel {
  SpyhopRead(RelOptCluster cluster, RelTraitSet traits, PushedQuery query) {
    super(cluster, traits, query);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SpyhopRead(getCluster(), traits, query());
  }

  /** By rows and values that come to the client. */
  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double rows = estimateRowCount(mq);
    return planner.getCostFactory().makeCost(rows, rows * query().width(), 0);
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    PhysType type =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), prefer.preferArray());
    Expression query =
        RowLoops.isIn(implementor)
            ? implementor.stash(new KeptReads(query()::rows), KeptReads.class)
            : implementor.stash(query(), PushedQuery.class);
    return implementor.result(
        type, Blocks.toBlock(Expressions.call(query, "rows", DataContext.ROOT)));
  }
}
