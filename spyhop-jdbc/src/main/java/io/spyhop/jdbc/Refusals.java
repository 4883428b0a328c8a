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
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Statements that Calcite 1.42 answers wrongly, by what they are made of before it rewrites
 * subqueries: they are refused. Used once.
 */
final class Refusals {
  private final List<RexSubQuery> queries = new ArrayList<>();

  /** Those that a row has to satisfy: FALSE and unknown come to the same. */
  private final Set<RexSubQuery> required = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean correlated;
  private boolean constantGroups;

  private Refusals() {}

  /**
   * Looks at a statement.
   *
   * @throws RefusedException if it is such a one; the message says what to write
   */
  static void check(RelNode statement) {
    Refusals all = new Refusals();
    all.look(statement);
    all.queries.forEach(all::check);
    if (all.correlated && all.constantGroups) {
      throw new RefusedException(
          "EXISTS, or groups, of what does not depend on the row are not supported beside"
              + " subqueries that do: write (SELECT COUNT(*) ...) > 0 for EXISTS (SELECT ...)");
    }
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
    correlated |= node instanceof Correlate;
    constantGroups |= node instanceof Aggregate aggregate && hasConstantKey(aggregate);
    if (node instanceof Join join) {
      check(join);
    }
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            queries.add(query);
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

  private void check(RexSubQuery query) {
    boolean depends = !RelOptUtil.getVariablesUsed(query.rel).isEmpty();
    correlated |= depends;
    SqlKind kind = query.getKind();
    constantGroups |=
        !depends
            && (kind == SqlKind.EXISTS
                || kind != SqlKind.SCALAR_QUERY && hasConstantColumn(query.rel));
    if (query.op instanceof SqlQuantifyOperator some && some.comparisonKind == SqlKind.NOT_EQUALS) {
      throw new RefusedException(
          "= ALL and <> ANY of a query are not supported: write NOT EXISTS or EXISTS");
    }
    boolean compares = kind == SqlKind.IN || kind == SqlKind.SOME;
    if (compares && depends && hasConstantColumn(query.rel)) {
      throw new RefusedException(
          "IN, ANY and ALL of a constant, of a query that depends on the row, are not supported:"
              + " write EXISTS");
    }
    if (compares && !required.contains(query)) {
      if (query.operands.size() > 1) {
        throw new RefusedException(
            "NOT IN of several columns and a query is not supported, nor IN but as a condition by"
                + " itself: write NOT EXISTS or EXISTS");
      }
      if (depends && hasTotal(query.rel)) {
        throw new RefusedException(
            "NOT IN, ALL and ANY of a total that depends on the row are not supported: compare"
                + " with the total, as in a <> (SELECT MAX(b) ...)");
      }
    }
  }

  private static boolean hasTotal(RelNode tree) {
    boolean[] found = new boolean[1];
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        found[0] |= node instanceof Aggregate a && a.getGroupSets().contains(ImmutableBitSet.of());
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    return found[0];
  }
}
