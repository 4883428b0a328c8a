package io.spyhop.server.query.candidate;

import io.spyhop.server.index.CellTtl;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Lets one row at a time through to another filter and ends the scan behind it, until the next
 * target is set. Whatever HBase asks a filter about that row, the other one answers. It never
 * leaves the server. Not thread-safe.
 */
final class TargetRowFilter extends FilterBase {
  private final Filter filter;
  private byte[] target = {};
  private boolean past;
  private boolean expires;

  TargetRowFilter(Filter filter) {
    this.filter = filter;
  }

  /** Goes on with another row, which must come after the last one. */
  void target(byte[] row) {
    target = row;
    past = false;
    expires = false;
  }

  /** Whether the filter was asked about a cell of the row that has a TTL of its own. */
  boolean mayExpire() {
    return expires;
  }

  @Override
  public boolean filterRowKey(Cell cell) throws IOException {
    int c =
        Bytes.compareTo(
            cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), target, 0, target.length);
    past = c > 0;
    return c != 0 || filter.filterRowKey(cell);
  }

  @Override
  public boolean filterAllRemaining() throws IOException {
    return past || filter.filterAllRemaining();
  }

  @Override
  public boolean isFamilyEssential(byte[] family) throws IOException {
    return filter.isFamilyEssential(family);
  }

  @Override
  public void reset() throws IOException {
    filter.reset();
  }

  @Override
  public ReturnCode filterCell(Cell cell) throws IOException {
    expires |= CellTtl.isIn(cell);
    return filter.filterCell(cell);
  }

  @Override
  public Cell transformCell(Cell cell) throws IOException {
    return filter.transformCell(cell);
  }

  @Override
  public Cell getNextCellHint(Cell cell) throws IOException {
    return filter.getNextCellHint(cell);
  }

  @Override
  public boolean hasFilterRow() {
    return filter.hasFilterRow();
  }

  @Override
  public void filterRowCells(List<Cell> cells) throws IOException {
    filter.filterRowCells(cells);
  }

  @Override
  public boolean filterRow() throws IOException {
    return filter.filterRow();
  }
}
