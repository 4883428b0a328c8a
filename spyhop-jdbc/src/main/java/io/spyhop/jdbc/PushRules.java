package io.spyhop.jdbc;

import io.spyhop.client.Order;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** Rules that move conditions, columns, orders, limits and aggregates into the pushed query. */
final class PushRules {
  static final List<RelOptRule> ALL =
      List.of(new FilterRule(), new ProjectRule(), new SortRule(), new AggregateRule(), readRule());

  private PushRules() {}

  private static RelOptRule readRule() {
    return ConverterRule.Config.INSTANCE
        .withConversion(
            SpyhopScan.class, Convention.NONE, EnumerableConvention.INSTANCE, "SpyhopReadRule")
        .withRuleFactory(ReadRule::new)
        .toRule(ReadRule.class);
  }

  /** Runs what was pushed. */
  static final class ReadRule extends ConverterRule {
    ReadRule(Config config) {
      super(config);
    }

    @Override
    public RelNode convert(RelNode rel) {
      SpyhopScan scan = (SpyhopScan) rel;
      return new SpyhopRead(
          scan.getCluster(),
          scan.getTraitSet().replace(EnumerableConvention.INSTANCE),
          scan.query());
    }
  }

  /** Puts other fields in place of those that a node refers to. */
  private static RexNode renumbered(RexNode node, IntUnaryOperator place) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return new RexInputRef(place.applyAsInt(ref.getIndex()), ref.getType());
          }
        });
  }

  /** Conditions that servers can use go to them; those that they only narrow by stay, too. */
  private static final class FilterRule extends RelOptRule {
    FilterRule() {
      super(operand(LogicalFilter.class, operand(SpyhopScan.class, none())), "SpyhopFilterRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalFilter filter = call.rel(0);
      SpyhopScan scan = call.rel(1);
      PushedQuery query = scan.query();
      if (query.isFiltered() || !query.isOfAllRows()) {
        return;
      }
      RexBuilder rex = filter.getCluster().getRexBuilder();
      List<RexNode> pushed = new ArrayList<>();
      List<RexNode> left = new ArrayList<>();
      RexNode expanded = RexUtil.expandSearch(rex, null, filter.getCondition());
      expanded.accept(new KeysAsText(query));
      for (RexNode part : RelOptUtil.conjunctions(expanded)) {
        RexNode ofTable = renumbered(part, query::field);
        Optional<Boolean> exact = usable(query.conditions(), ofTable);
        exact.ifPresent(e -> pushed.add(ofTable));
        if (!exact.orElse(false)) {
          left.add(part);
        }
      }
      if (!pushed.isEmpty()) {
        SpyhopScan narrower = scan.with(query.filtered(pushed));
        call.transformTo(
            left.isEmpty()
                ? narrower
                : filter.copy(
                    filter.getTraitSet(), narrower, RexUtil.composeConjunction(rex, left)));
      }
    }

    /** Whether it is then exact; empty if it is of no use. */
    private static Optional<Boolean> usable(Conditions conditions, RexNode node) {
      Optional<Conditions.Comparison> ofKeys =
          conditions.asComparison(node).filter(c -> c.left().isRowKey());
      if (ofKeys.isPresent()) {
        return ofKeys.filter(PushRules::isKeyRange).map(c -> true);
      }
      return conditions.read(node).map(Conditions.Usable::exact);
    }
  }

  private static boolean isKeyRange(Conditions.Comparison comparison) {
    return KeyRange.isRange(comparison.kind())
        && (comparison.isWithParameter()
            || Literals.bytes((RexLiteral) comparison.right()).isPresent());
  }

  /** Columns that nobody asks for do not come. */
  private static final class ProjectRule extends RelOptRule {
    ProjectRule() {
      super(operand(LogicalProject.class, operand(SpyhopScan.class, none())), "SpyhopProjectRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalProject project = call.rel(0);
      SpyhopScan scan = call.rel(1);
      if (!scan.query().hasRows()) {
        return;
      }
      List<RexNode> expressions = project.getProjects();
      if (!expressions.isEmpty() && expressions.stream().allMatch(RexInputRef.class::isInstance)) {
        List<Integer> places = expressions.stream().map(e -> ((RexInputRef) e).getIndex()).toList();
        call.transformTo(scan.with(scan.query().projected(places)));
        return;
      }
      ImmutableBitSet used = RelOptUtil.InputFinder.bits(expressions, null);
      List<Integer> places = used.isEmpty() ? List.of(0) : used.asList();
      if (places.size() < scan.getRowType().getFieldCount()) {
        List<RexNode> ofFew =
            expressions.stream().map(e -> renumbered(e, places::indexOf)).toList();
        SpyhopScan narrower = scan.with(scan.query().projected(places));
        call.transformTo(
            project.copy(project.getTraitSet(), narrower, ofFew, project.getRowType()));
      }
    }
  }

  /** An order of values that all rows have, or of keys, and a limit. */
  private static final class SortRule extends RelOptRule {
    SortRule() {
      super(operand(LogicalSort.class, operand(SpyhopScan.class, none())), "SpyhopSortRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalSort sort = call.rel(0);
      SpyhopScan scan = call.rel(1);
      if (sort.offset != null || !scan.query().isOfAllRows()) {
        return;
      }
      Optional<Integer> limit = limit(sort.fetch);
      Optional<Optional<PushedQuery.Sorting>> order = order(sort.getCollation(), scan.query());
      if (limit.isPresent() && order.isPresent()) {
        call.transformTo(
            new SpyhopScan(
                scan.getCluster(),
                sort.getTraitSet(),
                scan.query().ordered(order.get(), limit.get())));
      }
    }

    /** 0 for all; empty if it is not known yet. */
    private static Optional<Integer> limit(RexNode fetch) {
      if (fetch == null) {
        return Optional.of(0);
      }
      return fetch instanceof RexLiteral literal
          ? Optional.of(literal.getValueAs(BigDecimal.class))
              .filter(n -> n.signum() > 0 && n.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) < 0)
              .map(BigDecimal::intValueExact)
          : Optional.empty();
    }

    /** Empty if rows cannot come in that order; an empty one is that of keys. */
    private static Optional<Optional<PushedQuery.Sorting>> order(
        RelCollation collation, PushedQuery query) {
      List<RelFieldCollation> by = new ArrayList<>(collation.getFieldCollations());
      if (!by.isEmpty() && isOfKeys(by.get(by.size() - 1), query)) {
        by.remove(by.size() - 1); // rows of equal values come by their keys
      }
      if (by.isEmpty()) {
        return Optional.of(Optional.empty());
      }
      RelFieldCollation first = by.get(0);
      SqlColumn column = query.column(first.getFieldIndex());
      int field = query.field(first.getFieldIndex());
      return by.size() == 1 && column.isPlain() && query.requires(field)
          ? Optional.of(
              Optional.of(
                  new PushedQuery.Sorting(
                      field, first.getDirection().isDescending() ? Order.DESC : Order.ASC)))
          : Optional.empty();
    }

    private static boolean isOfKeys(RelFieldCollation by, PushedQuery query) {
      return query.column(by.getFieldIndex()).isRowKey() && !by.getDirection().isDescending();
    }
  }

  /** Regions compute aggregates. */
  private static final class AggregateRule extends RelOptRule {
    AggregateRule() {
      super(
          operand(LogicalAggregate.class, operand(SpyhopScan.class, none())),
          "SpyhopAggregateRule");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      LogicalAggregate aggregate = call.rel(0);
      SpyhopScan scan = call.rel(1);
      if (scan.query().isOfAllRows()) {
        PushedFigures.of(aggregate, scan.query())
            .ifPresent(f -> call.transformTo(scan.with(scan.query().aggregated(f))));
      }
    }
  }
}
