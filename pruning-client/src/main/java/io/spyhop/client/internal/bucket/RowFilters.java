package io.spyhop.client.internal.bucket;

import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Refuses filters that would not do in a bucketed table what they do in another: servers show them
 * stored rows, in stored order. Stateless.
 */
final class RowFilters {
  private RowFilters() {}

  /**
   * Throws if a filter of HBase looks at row keys or ends a scan at some row.
   *
   * @param filter null if there is none
   * @throws UnsupportedOperationException if it does, itself or within a list
   */
  static void refuse(Filter filter) {
    if (filter instanceof FilterList list) {
      list.getFilters().forEach(RowFilters::refuse);
    } else if (filter instanceof SkipFilter skip) {
      refuse(skip.getFilter());
    } else if (looksAtRows(filter)) {
      throw new UnsupportedOperationException(
          filter.getClass().getSimpleName()
              + " would see stored rows of a bucketed table, whose keys begin with bits of a hash:"
              + " give the scan a start and a stop row instead");
    }
  }

  private static boolean looksAtRows(Filter filter) {
    return filter instanceof PrefixFilter
        || filter instanceof RowFilter
        || filter instanceof InclusiveStopFilter
        || filter instanceof FuzzyRowFilter
        || filter instanceof MultiRowRangeFilter
        || filter instanceof WhileMatchFilter;
  }
}
