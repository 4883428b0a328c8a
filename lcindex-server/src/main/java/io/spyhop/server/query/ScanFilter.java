package io.spyhop.server.query;

import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.ByteComparison;
import io.spyhop.core.predicate.Predicate.Operator;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.server.query.plan.ScanPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * The whole filter of a scan: the user's filter with those that HBase's access control and
 * visibility labels have put around it. Immutable, thread-safe.
 *
 * <p>Understood are, as the user's filter, one {@link PredicateFilter}, or {@link
 * SingleColumnValueFilter}s that must all pass; around them, lists that must pass whole and whose
 * other members are of the two classes of HBase that hide cells. Whatever else is in the chain
 * leaves the scan alone: it may mean anything.
 *
 * @param question what is asked; empty if the filter is left alone
 * @param leftAlone why it is left alone, or empty
 * @param isPredicate whether the user's filter is a {@link PredicateFilter}, or one that asks for
 *     an order besides, and nothing else
 * @param order the user's filter, if it asks for an order
 */
record ScanFilter(
    Optional<ScanPredicate> question,
    String leftAlone,
    boolean isPredicate,
    Optional<ValueOrderFilter> order) {
  /** By name, as the classes are not public. They only hide cells, and say nothing of rows. */
  private static final Set<String> SECURITY =
      Set.of(
          "org.apache.hadoop.hbase.security.access.AccessControlFilter",
          "org.apache.hadoop.hbase.security.visibility.VisibilityLabelFilter");

  /** A filter that is neither a predicate nor asks for values of columns. */
  static final ScanFilter NONE = new ScanFilter(Optional.empty(), "", false, Optional.empty());

  /** Looks at the filter of a scan; null is none. */
  static ScanFilter of(Filter chain) {
    boolean secured = false;
    Filter user = chain;
    while (user instanceof FilterList list && hasSecurity(list)) {
      List<Filter> others = list.getFilters().stream().filter(f -> !isSecurity(f)).toList();
      if (list.getOperator() != FilterList.Operator.MUST_PASS_ALL || others.size() > 1) {
        return mentionsValues(list) ? alone("a list of filters around security filters") : NONE;
      }
      secured = true;
      user = others.isEmpty() ? null : others.get(0);
    }
    if (user instanceof PredicateFilter filter) {
      return predicate(filter.predicate(), secured, Optional.empty());
    }
    if (user instanceof ValueOrderFilter filter) {
      return predicate(filter.request().predicate(), secured, Optional.of(filter));
    }
    return user == null || !mentionsValues(user) ? NONE : comparisons(user, secured);
  }

  private static ScanFilter predicate(
      BoundPredicate predicate, boolean secured, Optional<ValueOrderFilter> order) {
    ScanPredicate question = new ScanPredicate(predicate, List.of(), secured, secured);
    return new ScanFilter(Optional.of(question), "", true, order);
  }

  /** The predicate's filter itself, if the whole filter is of that kind. */
  static Optional<PredicateFilter> predicateFilter(Filter chain) {
    if (chain instanceof FilterList list && hasSecurity(list)) {
      return list.getFilters().stream()
          .filter(f -> !isSecurity(f))
          .findFirst()
          .flatMap(ScanFilter::predicateFilter);
    }
    return chain instanceof PredicateFilter filter ? Optional.of(filter) : Optional.empty();
  }

  /** Whether a filter or one within it asks for an order, which as any other filter it refuses. */
  static boolean asksForOrder(Filter filter) {
    return filter instanceof FilterList list
        ? list.getFilters().stream().anyMatch(ScanFilter::asksForOrder)
        : filter instanceof ValueOrderFilter || filter instanceof KeyOrderFilter;
  }

  private static boolean isSecurity(Filter filter) {
    return SECURITY.contains(filter.getClass().getName());
  }

  private static boolean hasSecurity(FilterList list) {
    return list.getFilters().stream().anyMatch(ScanFilter::isSecurity);
  }

  private static boolean mentionsValues(Filter filter) {
    return filter instanceof FilterList list
        ? list.getFilters().stream().anyMatch(ScanFilter::mentionsValues)
        : filter instanceof SingleColumnValueFilter
            || filter instanceof PredicateFilter
            || filter instanceof ValueOrderFilter;
  }

  private static ScanFilter alone(String reason) {
    return new ScanFilter(Optional.empty(), reason, false, Optional.empty());
  }

  private static ScanFilter comparisons(Filter user, boolean secured) {
    List<ByteComparison> comparisons = new ArrayList<>();
    Optional<String> reason = collect(user, comparisons);
    return reason.isPresent()
        ? alone(reason.get())
        : new ScanFilter(
            Optional.of(
                new ScanPredicate(ByteComparison.all(comparisons), comparisons, secured, secured)),
            "",
            false,
            Optional.empty());
  }

  private static Optional<String> collect(Filter filter, List<ByteComparison> into) {
    if (filter instanceof FilterList list) {
      if (list.getOperator() != FilterList.Operator.MUST_PASS_ALL) {
        return Optional.of("a list of filters of which one must pass");
      }
      return list.getFilters().stream()
          .map(f -> collect(f, into))
          .flatMap(Optional::stream)
          .findFirst();
    }
    if (filter.getClass() != SingleColumnValueFilter.class) {
      return Optional.of("a filter of class " + filter.getClass().getSimpleName());
    }
    return compare((SingleColumnValueFilter) filter, into);
  }

  private static Optional<String> compare(
      SingleColumnValueFilter filter, List<ByteComparison> into) {
    if (!filter.getFilterIfMissing()) {
      return Optional.of("filterIfMissing is false: rows without the column are in the answer");
    }
    if (!filter.getLatestVersionOnly()) {
      return Optional.of("latestVersionOnly is false: older versions count");
    }
    if (filter.getComparator() == null
        || filter.getComparator().getClass() != BinaryComparator.class
        || filter.getComparator().getValue() == null) {
      return Optional.of("a comparator other than BinaryComparator");
    }
    Optional<Operator> operator = operator(filter);
    byte[] family = filter.getFamily();
    if (operator.isEmpty() || family == null || family.length == 0) {
      return Optional.of("an operator that compares nothing, or no family");
    }
    byte[] qualifier = filter.getQualifier() == null ? new byte[0] : filter.getQualifier();
    into.add(
        new ByteComparison(
            ColumnName.of(family, qualifier), operator.get(), filter.getComparator().getValue()));
    return Optional.empty();
  }

  private static Optional<Operator> operator(SingleColumnValueFilter filter) {
    return switch (filter.getCompareOperator()) {
      case EQUAL -> Optional.of(Operator.EQ);
      case NOT_EQUAL -> Optional.of(Operator.NE);
      case LESS -> Optional.of(Operator.LT);
      case LESS_OR_EQUAL -> Optional.of(Operator.LE);
      case GREATER -> Optional.of(Operator.GT);
      case GREATER_OR_EQUAL -> Optional.of(Operator.GE);
      default -> Optional.empty();
    };
  }
}
