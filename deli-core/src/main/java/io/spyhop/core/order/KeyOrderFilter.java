package io.spyhop.core.order;

import io.spyhop.core.wire.CorruptFrameException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * The HBase filter by which a scan asks a region of a bucketed table for its rows in the order of
 * users' keys. It is a filter and no attribute so that nobody passes over it, as {@link
 * ValueOrderFilter}: a server that runs it as any filter gets an {@link OrderRefusedException} with
 * the first row. Immutable, thread-safe.
 */
public final class KeyOrderFilter extends FilterBase {
  private final KeyOrderRequest request;

  /** A filter that asks. */
  public KeyOrderFilter(KeyOrderRequest request) {
    this.request = request;
  }

  /** What the filter asks for. */
  public KeyOrderRequest request() {
    return request;
  }

  @Override
  public boolean filterRowKey(Cell cell) throws OrderRefusedException {
    throw new OrderRefusedException("nobody in the region knows of the order of keys");
  }

  @Override
  public ReturnCode filterCell(Cell cell) throws OrderRefusedException {
    throw new OrderRefusedException("nobody in the region knows of the order of keys");
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
  public static KeyOrderFilter parseFrom(byte[] bytes) throws DeserializationException {
    try {
      return new KeyOrderFilter(KeyOrderRequest.decode(bytes));
    } catch (CorruptFrameException e) {
      throw new DeserializationException(e);
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyOrderFilter other && request.equals(other.request);
  }

  @Override
  public int hashCode() {
    return request.hashCode();
  }

  @Override
  public String toString() {
    return "KeyOrderFilter(" + request + ")";
  }
}
