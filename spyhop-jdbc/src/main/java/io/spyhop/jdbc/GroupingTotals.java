package io.spyhop.jdbc;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The total among grouping sets (ROLLUP, CUBE) is computed by itself: it is a row even of nothing,
 * which Calcite's code for several sets leaves out.
 */
final class GroupingTotals extends RelOptRule {
  /** Among the sets by which Calcite computes COUNT(DISTINCT), whose total another one adds up. */
  private static final String OF_DISTINCT = "$g";

  GroupingTotals() {
    super(operand(LogicalAggregate.class, any()), "SpyhopGroupingTotalsRule");
  }

  /** Whether an aggregate has a total beside other groups, which the statement asks for. */
  static boolean isIn(Aggregate aggregate) {
    List<ImmutableBitSet> sets = aggregate.getGroupSets();
    return sets.size() > 1
        && sets.contains(ImmutableBitSet.of())
        && aggregate.getAggCallList().stream().noneMatch(c -> OF_DISTINCT.equals(c.getName()));
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    LogicalAggregate aggregate = call.rel(0);
    if (!isIn(aggregate)) {
      return;
    }
    List<ImmutableBitSet> groups =
        aggregate.getGroupSets().stream().filter(set -> !set.isEmpty()).toList();
    RelBuilder builder = call.builder();
    builder
        .push(aggregate.getInput())
        .aggregate(builder.groupKey(aggregate.getGroupSet(), groups), aggregate.getAggCallList())
        .convert(aggregate.getRowType(), true);
    total(builder, aggregate);
    call.transformTo(builder.union(true).convert(aggregate.getRowType(), true).build());
  }

  /** Its keys are NULL, and GROUPING says so of each. */
  private static void total(RelBuilder builder, LogicalAggregate aggregate) {
    List<AggregateCall> figures =
        aggregate.getAggCallList().stream().filter(c -> !isOfGroups(c)).toList();
    if (figures.isEmpty()) {
      builder.push(LogicalValues.createOneRow(aggregate.getCluster()));
    } else {
      builder.push(aggregate.getInput()).aggregate(builder.groupKey(), figures);
    }
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    List<RelDataTypeField> fields = aggregate.getRowType().getFieldList();
    List<RexNode> row = new ArrayList<>();
    for (int key = 0; key < aggregate.getGroupCount(); key++) {
      row.add(rex.makeNullLiteral(fields.get(key).getType()));
    }
    int figure = 0;
    for (AggregateCall c : aggregate.getAggCallList()) {
      row.add(
          isOfGroups(c)
              ? rex.makeExactLiteral(
                  BigDecimal.valueOf((1L << c.getArgList().size()) - 1), c.getType())
              : builder.field(figure++));
    }
    builder.project(row, aggregate.getRowType().getFieldNames(), true);
    builder.convert(aggregate.getRowType(), true);
  }

  private static boolean isOfGroups(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case GROUPING, GROUPING_ID, GROUP_ID -> true;
      default -> false;
    };
  }
}
