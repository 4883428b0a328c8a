package io.spyhop.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The subqueries and joins of a statement, before Calcite rewrites them. Calcite 1.42 answers some
 * statements wrongly: those are refused. Others it answers rightly only in loops, the subquery anew
 * for each row: joins are made of subqueries where a statement has nothing but such as Calcite is
 * known to do rightly. Used once.
 */
final class Subqueries {
  private final List<RexSubQuery> queries = new ArrayList<>();

  /** Those that a row has to satisfy: FALSE and unknown come to the same. */
  private final Set<RexSubQuery> required = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean lateral;
  private boolean outerJoin;
  private boolean constantGroups;

  private Subqueries() {}

  /** Those of a statement. */
  static Subqueries of(RelNode statement) {
    Subqueries all = new Subqueries();
    all.look(statement);
    return all;
  }

  /**
   * Refuses what Calcite answers wrongly in any way.
   *
   * @throws RefusedException if there is such a one; the message says what to write
   */
  void requireRight() {
    queries.forEach(this::check);
  }

  /** Whether those that depend on a row are to be asked anew for each. */
  boolean areLoops() {
    List<RexSubQuery> dependent = queries.stream().filter(Subqueries::depends).toList();
    return lateral
        || !dependent.isEmpty()
            && (outerJoin || constantGroups || !dependent.stream().allMatch(this::isJoin));
  }

  private void look(RelNode tree) {
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        look(node, this);
      }
    }.go(tree);
  }

  private void look(RelNode node, RelVisitor inputs) {
    if (node instanceof Filter filter) {
      RelOptUtil.conjunctions(filter.getCondition()).stream()
          .filter(RexSubQuery.class::isInstance)
          .forEach(q -> required.add((RexSubQuery) q));
    }
    lateral |= node instanceof Correlate;
    outerJoin |= node instanceof Join j && j.getJoinType().isOuterJoin();
    constantGroups |= node instanceof Aggregate aggregate && hasConstantKey(aggregate);
    if (node instanceof Join join) {
      check(join);
    }
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            queries.add(query);
            constantGroups |= !depends(query) && hasConstantGroups(query);
            look(query.rel);
            return super.visitSubQuery(query);
          }
        });
    node.childrenAccept(inputs);
  }

  private static boolean hasConstantKey(Aggregate aggregate) {
    return aggregate.getInput() instanceof Project project
        && aggregate.getGroupSet().asList().stream()
            .anyMatch(key -> RexUtil.isConstant(project.getProjects().get(key)));
  }

  private static boolean hasConstantGroups(RexSubQuery query) {
    return switch (query.getKind()) {
      case EXISTS -> true;
      case SCALAR_QUERY -> false;
      default -> hasConstantColumn(query.rel);
    };
  }

  private static boolean hasConstantColumn(RelNode rel) {
    return rel instanceof Project project
        && project.getProjects().stream().anyMatch(RexUtil::isConstant);
  }

  /** Its nested loops keep rows that have no partner in a set, where equal ones are one. */
  private static void check(Join join) {
    JoinRelType type = join.getJoinType();
    if ((type == JoinRelType.RIGHT || type == JoinRelType.FULL) && !hasEquality(join)) {
      throw new RefusedException(
          type
              + " JOIN needs an equality of a column of either side: write a RIGHT JOIN as a LEFT"
              + " JOIN, with the sides exchanged, and a FULL JOIN as a UNION ALL of both");
    }
  }

  private static boolean hasEquality(Join join) {
    int left = join.getLeft().getRowType().getFieldCount();
    ImmutableBitSet ofLeft = ImmutableBitSet.range(left);
    ImmutableBitSet ofRight =
        ImmutableBitSet.range(left, left + join.getRight().getRowType().getFieldCount());
    return RelOptUtil.conjunctions(join.getCondition()).stream()
        .anyMatch(
            c ->
                c.getKind() == SqlKind.EQUALS
                    && c instanceof RexCall call
                    && (isOf(call, ofLeft, ofRight) || isOf(call, ofRight, ofLeft)));
  }

  private static boolean isOf(RexCall equality, ImmutableBitSet first, ImmutableBitSet second) {
    ImmutableBitSet a = RelOptUtil.InputFinder.bits(equality.getOperands().get(0));
    ImmutableBitSet b = RelOptUtil.InputFinder.bits(equality.getOperands().get(1));
    return !a.isEmpty() && first.contains(a) && !b.isEmpty() && second.contains(b);
  }

  private static boolean depends(RexSubQuery query) {
    return !RelOptUtil.getVariablesUsed(query.rel).isEmpty();
  }

  private void check(RexSubQuery query) {
    if (query.op instanceof SqlQuantifyOperator some && some.comparisonKind == SqlKind.NOT_EQUALS) {
      throw new RefusedException(
          "= ALL and <> ANY of a query are not supported: write NOT EXISTS or EXISTS");
    }
    if (query.operands.size() > 1 && !required.contains(query)) {
      throw new RefusedException(
          "NOT IN of several columns and a query is not supported, nor IN but as a condition by"
              + " itself: write NOT EXISTS or EXISTS");
    }
  }

  /** Whether a subquery that depends on the row is like those that Calcite joins rightly. */
  private boolean isJoin(RexSubQuery query) {
    return switch (query.getKind()) {
      case EXISTS -> isPlain(query.rel);
      case IN, SOME ->
          required.contains(query) && !hasConstantColumn(query.rel) && isPlain(query.rel);
      case SCALAR_QUERY -> {
        RelNode rows = query.rel instanceof Project figure ? figure.getInput() : query.rel;
        yield rows instanceof Aggregate total
            && total.getGroupSets().equals(List.of(ImmutableBitSet.of()))
            && !usesRow(query.rel instanceof Project figure ? figure : total)
            && isPlain(total.getInput());
      }
      default -> false;
    };
  }

  /** Rows of tables whose columns are equal to the outer row's, among other conditions. */
  private static boolean isPlain(RelNode rows) {
    if (rows instanceof Project project) {
      return !usesRow(project) && isPlain(project.getInput());
    }
    if (rows instanceof Filter filter) {
      return RelOptUtil.conjunctions(filter.getCondition()).stream().allMatch(Subqueries::isPlain)
          && isPlain(filter.getInput());
    }
    if (rows instanceof Join join) {
      return !usesRow(join) && isPlain(join.getLeft()) && isPlain(join.getRight());
    }
    return rows instanceof TableScan || rows instanceof SpyhopScan;
  }

  private static boolean isPlain(RexNode condition) {
    if (RexUtil.SubQueryFinder.find(condition) != null) {
      return false;
    }
    return !RexUtil.containsCorrelation(condition)
        || condition.getKind() == SqlKind.EQUALS
            && condition instanceof RexCall equal
            && equal.getOperands().stream().filter(RexInputRef.class::isInstance).count() == 1
            && equal.getOperands().stream().filter(RexFieldAccess.class::isInstance).count() == 1;
  }

  private static boolean usesRow(RelNode node) {
    boolean[] found = new boolean[1];
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            found[0] = true;
            return variable;
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            found[0] = true;
            return query;
          }
        });
    return found[0];
  }
}
