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
import org.apache.calcite.rel.rules.DateRangeRules;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rel.rules.SemiJoinRule;
import org.apache.calcite.runtime.Hook;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.util.Holder;

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
    RowLoops.in(planner);
    ReducedWithoutCase.in(planner);
    planner.removeRule(CoreRules.PROJECT_TO_SEMI_JOIN);
    planner.addRule(new GroupsAsSemiJoin());
    // It takes limits into its inputs before equal rows are one.
    planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_UNION_RULE);
    // It takes rows of a LEFT JOIN for sorted by the right side's key, which is NULL in some.
    planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_JOIN_RULE);
    // It takes EXCEPT of EXCEPT ALL for EXCEPT alone.
    planner.removeRule(CoreRules.MINUS_MERGE);
    // It makes wrong ranges of years and other parts of dates together, and may not end.
    planner.removeRule(DateRangeRules.FILTER_INSTANCE);
    // It takes grouping sets for groups, which are none of nothing; a total among them is one.
    planner.removeRule(PruneEmptyRules.AGGREGATE_INSTANCE);
    PushRules.ALL.forEach(planner::addRule);
    return planner;
  }

  @Override
  public <T> CalciteSignature<T> prepareSql(
      Context context, Query<T> query, Type elementType, long maxRowCount) {
    requireReading(query.sql);
    Planning planning = new Planning();
    try (var ignored = Prepare.THREAD_INSUBQUERY_THRESHOLD.push(Integer.MAX_VALUE);
        var unmerged =
            Hook.SQL2REL_CONVERTER_CONFIG_BUILDER.addThread(SpyhopPrepare::keepSubselects);
        var parsed = Hook.PARSE_TREE.addThread((Object[] p) -> Commas.bindLess((SqlNode) p[1]));
        var looked = Hook.CONVERTED.addThread(planning::look)) {
      return super.prepareSql(planning.of(context), query, elementType, maxRowCount);
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      throw Failures.ofPlanning(e);
    }
  }

  /**
   * Columns of a subselect are not merged into those of the statement around it before subqueries
   * are rewritten: these would read other columns (of 1.42).
   */
  private static void keepSubselects(Holder<SqlToRelConverter.Config> config) {
    config.set(config.get().withRelBuilderConfigTransform(builder -> builder.withBloat(-1)));
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
    if (sql != null && sql.isBlank()) {
      throw new RefusedException("the statement is empty");
    }
    if (sql != null && WRITING.matcher(sql).lookingAt()) {
      throw new RefusedException(
          "this driver reads; rows are written, and tables made, through HBase: "
              + sql.strip().lines().findFirst().orElse(""));
    }
  }
}
