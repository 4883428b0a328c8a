package io.spyhop.server.model;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.ByteComparison;
import io.spyhop.core.predicate.Predicate.Operator;
import io.spyhop.core.schema.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * One to three of HBase's own value filters that must all pass, of the kind that indexes help with.
 *
 * @param filter the filters
 * @param columns a predicate of the same columns
 */
record RandomValueFilters(Filter filter, BoundPredicate columns) {
  private static final CompareOperator[] OPERATORS = {
    CompareOperator.LESS,
    CompareOperator.LESS_OR_EQUAL,
    CompareOperator.EQUAL,
    CompareOperator.NOT_EQUAL,
    CompareOperator.GREATER_OR_EQUAL,
    CompareOperator.GREATER
  };

  static RandomValueFilters draw(Random r) {
    FilterList filters = new FilterList();
    List<ByteComparison> columns = new ArrayList<>();
    for (int n = 1 + r.nextInt(3); n > 0; n--) {
      Column c = Column.values()[r.nextInt(Column.values().length)];
      byte[] value = c.stored(r);
      SingleColumnValueFilter one =
          new SingleColumnValueFilter(
              c.family(), c.qualifier(), OPERATORS[r.nextInt(OPERATORS.length)], value);
      one.setFilterIfMissing(true);
      filters.addFilter(List.of((Filter) one));
      columns.add(new ByteComparison(ColumnName.parse(c.text()), Operator.EQ, value));
    }
    return new RandomValueFilters(filters, ByteComparison.all(columns));
  }
}
