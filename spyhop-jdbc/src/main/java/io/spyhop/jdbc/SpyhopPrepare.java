package io.spyhop.jdbc;

import java.lang.reflect.Type;
import java.util.regex.Pattern;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.SemiJoinRule;
import org.apache.calcite.runtime.Hook;

/** Prepares statements as Calcite does; a long IN list stays a condition, and is no join. */
final class SpyhopPrepare extends CalcitePrepareImpl {
  /** How statements begin that change something. */
  private static final Pattern WRITING =
      Pattern.compile(
          "\\s*(INSERT|UPSERT|UPDATE|DELETE|MERGE|CREATE|DROP|ALTER|TRUNCATE)\\b",
          Pattern.CASE_INSENSITIVE);

  @Override
  protected RelOptPlanner createPlanner(
      CalcitePrepare.Context context,
      org.apache.calcite.plan.Context external,
      RelOptCostFactory costs) {
    RelOptPlanner planner = super.createPlanner(context, external, costs);
    WideSums.in(planner);
    NestedLoops.in(planner);
    ReducedWithoutCase.in(planner);
    planner.removeRule(CoreRules.PROJECT_TO_SEMI_JOIN);
    planner.addRule(new GroupsAsSemiJoin());
    // It takes limits into its inputs before equal rows are one.
    planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_UNION_RULE);
    PushRules.ALL.forEach(planner::addRule);
    return planner;
  }

  @Override
  public <T> CalciteSignature<T> prepareSql(
      Context context, Query<T> query, Type elementType, long maxRowCount) {
    requireReading(query.sql);
    try (var ignored = Prepare.THREAD_INSUBQUERY_THRESHOLD.push(Integer.MAX_VALUE);
        var refusing = Hook.CONVERTED.addThread(Refusals::check)) {
      return super.prepareSql(context, query, elementType, maxRowCount);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw Failures.ofPlanning(e);
    }
  }

  /**
   * Calcite's rule takes a join with a total, which is a row even of nothing, for one with the rows
   * that are added up: where there are none, all rows were lost (of 1.42; as in {@code SELECT a
   * FROM t, (SELECT COUNT(*) FROM u WHERE b > 1000)}).
   */
  private static final class GroupsAsSemiJoin extends SemiJoinRule.ProjectToSemiJoinRule {
    private static final int AGGREGATE = 3;

    GroupsAsSemiJoin() {
      super(
          ProjectToSemiJoinRuleConfig.DEFAULT
              .withDescription("SpyhopGroupsAsSemiJoin")
              .as(ProjectToSemiJoinRuleConfig.class));
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      Aggregate groups = call.rel(AGGREGATE);
      if (groups.getGroupCount() > 0) {
        super.onMatch(call);
      }
    }
  }

  private static void requireReading(String sql) {
    if (sql != null && WRITING.matcher(sql).lookingAt()) {
      throw new RefusedException(
          "this driver reads; rows are written, and tables made, through HBase: "
              + sql.strip().lines().findFirst().orElse(""));
    }
  }
}
