package io.spyhop.server.query.candidate;

import io.spyhop.server.memory.ReadBlocks;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Reads rows from the region as the query's own scan would, at its read point and through its
 * filter: it is that scan, jumping from one row to the next, so that a row costs a seek and not the
 * opening of a scanner. Rows are asked for in ascending order. Not thread-safe.
 */
public final class RowReader implements Closeable {
  private final IndexedQuery query;
  private final long readPoint;
  private final TargetRowFilter filter;
  private final List<Cell> cells = new ArrayList<>();
  private RegionScanner scanner;
  private final ReadBlocks blocks = new ReadBlocks();

  /**
   * @param readPoint must stay pinned by an open scanner of the region
   */
  public RowReader(IndexedQuery query, long readPoint) {
    this.query = query;
    this.readPoint = readPoint;
    this.filter = new TargetRowFilter(query.filter());
  }

  /** Appends the row's cells, copied, if it matches. */
  public void read(byte[] row, List<Cell> out) throws IOException {
    filter.target(row);
    if (scanner == null) {
      scanner = open(row);
    } else {
      scanner.reseek(row);
    }
    cells.clear();
    boolean more;
    do {
      more = scanner.nextRaw(cells, blocks.context());
    } while (more && cells.isEmpty());
    for (Cell c : cells) {
      out.add(KeyValueUtil.copyToNewKeyValue(c));
    }
    blocks.letGo(scanner);
  }

  /**
   * Whether the row that was read last may be another soon, without a write: what decided about it,
   * or what is seen of it, has a TTL of its own.
   */
  public boolean mayExpire() {
    return filter.mayExpire();
  }

  private RegionScanner open(byte[] firstRow) throws IOException {
    Scan scan = new Scan(query.scan()).withStartRow(firstRow, true);
    scan.setFilter(filter).setReadType(Scan.ReadType.PREAD);
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
    return query.region().getScanner(scan);
  }

  @Override
  public void close() throws IOException {
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
  }
}
