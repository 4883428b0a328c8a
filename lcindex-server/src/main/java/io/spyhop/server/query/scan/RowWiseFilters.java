package io.spyhop.server.query.scan;

import io.spyhop.core.predicate.PredicateFilter;
import java.util.Set;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/**
 * Filters that judge each row by itself, so that one instance may be asked about rows of several
 * runs; others may count rows. Stateless.
 */
final class RowWiseFilters {
  private static final Set<Class<?>> CLASSES =
      Set.of(
          PredicateFilter.class,
          SingleColumnValueFilter.class,
          SingleColumnValueExcludeFilter.class,
          ValueFilter.class,
          QualifierFilter.class,
          FamilyFilter.class,
          ColumnPrefixFilter.class,
          KeyOnlyFilter.class,
          FirstKeyOnlyFilter.class);

  private RowWiseFilters() {}

  /** Whether a filter is one; null, which passes everything, is. */
  static boolean has(Filter filter) {
    return filter instanceof FilterList list
        ? list.getFilters().stream().allMatch(RowWiseFilters::has)
        : filter == null || CLASSES.contains(filter.getClass());
  }
}
