package io.spyhop.server.query;

import io.spyhop.core.predicate.PredicateFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Reads single rows from the region as the query's own scan would, at its read point and through
 * its filter. Not thread-safe.
 */
final class RowReader {
  private final HRegion region;
  private final Scan scan;

  /**
   * @param readPoint must stay pinned by an open scanner of the region
   */
  RowReader(IndexedQuery query, long readPoint) throws IOException {
    this.region = query.region();
    this.scan = new Scan(query.scan());
    scan.setFilter(new PredicateFilter(query.predicate()));
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
  }

  /** Appends the row's cells, copied, if it matches. */
  void read(byte[] row, List<Cell> out) throws IOException {
    scan.withStartRow(row, true).withStopRow(row, true);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        more = scanner.nextRaw(cells);
      } while (more && cells.isEmpty());
      for (Cell c : cells) {
        out.add(KeyValueUtil.copyToNewKeyValue(c));
      }
    }
  }
}
