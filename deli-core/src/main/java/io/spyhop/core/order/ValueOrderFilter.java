package io.spyhop.core.order;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * The HBase filter by which a scan asks a region for its rows in the order of a column's values. It
 * is a filter and no attribute so that nobody passes over it: a server that does not know the class
 * refuses the scan, and one that runs it as any filter, as Spyhop's observer is not there, gets an
 * {@link OrderRefusedException} with the first row, not an answer in another order.
 *
 * <p>Once {@link #serve} was called it judges rows as a {@link PredicateFilter} does, for callers
 * that read them one by one. Not thread-safe, as all filters.
 */
public final class ValueOrderFilter extends FilterBase {
  private final OrderRequest request;
  private final PredicateFilter filter;
  private boolean served;

  /** A filter that asks. */
  public ValueOrderFilter(OrderRequest request) {
    this.request = request;
    this.filter = new PredicateFilter(request.predicate());
  }

  /** What the filter asks for. */
  public OrderRequest request() {
    return request;
  }

  /** Says that the order is seen to. */
  public void serve() {
    served = true;
  }

  private void requireServed() throws OrderRefusedException {
    if (!served) {
      throw new OrderRefusedException("nobody in the region knows of the order of values");
    }
  }

  @Override
  public boolean filterRowKey(Cell cell) throws IOException {
    requireServed();
    return filter.filterRowKey(cell);
  }

  @Override
  public void reset() {
    filter.reset();
  }

  @Override
  public ReturnCode filterCell(Cell cell) throws IOException {
    requireServed();
    return filter.filterCell(cell);
  }

  @Override
  public boolean hasFilterRow() {
    return true;
  }

  @Override
  public void filterRowCells(List<Cell> cells) {
    filter.filterRowCells(cells);
  }

  @Override
  public boolean filterRow() {
    return filter.filterRow();
  }

  @Override
  public byte[] toByteArray() {
    return request.encode();
  }

  /**
   * Reads what {@link #toByteArray} wrote; HBase calls it by reflection.
   *
   * @throws DeserializationException if the bytes are not a request of this version
   */
  public static ValueOrderFilter parseFrom(byte[] bytes) throws DeserializationException {
    try {
      return new ValueOrderFilter(OrderRequest.decode(bytes));
    } catch (CorruptFrameException e) {
      throw new DeserializationException(e);
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ValueOrderFilter other && request.equals(other.request);
  }

  @Override
  public int hashCode() {
    return request.predicate().hashCode();
  }

  @Override
  public String toString() {
    return "ValueOrderFilter(" + request + ")";
  }
}
