package io.spyhop.jdbc;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexUtil;

/** A pushed query as planners know it; {@link SpyhopRead} runs it. Immutable. */
class SpyhopScan extends AbstractRelNode {
  private static final double ROWS_OF_A_TABLE = 1_000_000;

  private final PushedQuery query;

  SpyhopScan(RelOptCluster cluster, RelTraitSet traits, PushedQuery query) {
    super(cluster, traits);
    this.query = query;
    this.rowType = query.row(cluster.getTypeFactory());
  }

  static SpyhopScan of(RelOptCluster cluster, PushedQuery query) {
    return new SpyhopScan(cluster, cluster.traitSet(), query);
  }

  /** Another query in its place. */
  SpyhopScan with(PushedQuery other) {
    return of(getCluster(), other);
  }

  final PushedQuery query() {
    return query;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SpyhopScan(getCluster(), traits, query);
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    double selectivity =
        query.isFiltered()
            ? RelMdUtil.guessSelectivity(
                RexUtil.composeConjunction(getCluster().getRexBuilder(), query.filters()))
            : 1;
    return query.estimatedRows(ROWS_OF_A_TABLE, selectivity);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    RelWriter terms = super.explainTerms(writer);
    query.explain(terms::item);
    return terms;
  }

  /** Names in what is shown may be odd: the queries themselves are compared. */
  @Override
  public boolean deepEquals(Object o) {
    return o != null
        && getClass() == o.getClass()
        && getTraitSet().equals(((SpyhopScan) o).getTraitSet())
        && getRowType().equals(((SpyhopScan) o).getRowType())
        && query.equals(((SpyhopScan) o).query);
  }

  @Override
  public int deepHashCode() {
    return query.hashCode();
  }
}
