package io.spyhop.server.query;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.server.access.ColumnAccess;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The part of a region that the caller of a scan sees through its security filters. It is found
 * before anything is looked up, and depends on no cell.
 */
enum CellVisibility {
  /** All cells: the caller is a superuser. */
  EVERYTHING,
  /** All cells of the predicate's columns; what the filters are for is in other columns. */
  THE_COLUMNS,
  /** Perhaps not all cells of the predicate's columns. */
  A_PART;

  /**
   * Asks the region's observers.
   *
   * @throws IOException if they cannot tell now
   */
  static CellVisibility of(HRegion region, BoundPredicate predicate) throws IOException {
    if (ColumnAccess.isSystem()) {
      return EVERYTHING;
    }
    try {
      List<ColumnName> columns = predicate.columns().stream().map(BoundColumn::name).toList();
      return ColumnAccess.seesAllOf(region, columns) ? THE_COLUMNS : A_PART;
    } catch (DoNotRetryIOException refusal) {
      return A_PART;
    }
  }
}
