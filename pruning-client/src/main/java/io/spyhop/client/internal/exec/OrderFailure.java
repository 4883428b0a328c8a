package io.spyhop.client.internal.exec;

import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderResetException;
import java.io.IOException;
import org.apache.hadoop.hbase.filter.Filter;

/** Failures of scans in an order other than the table's, by what the client does then. */
public enum OrderFailure {
  /** The region does not serve the order: the client reads and orders the rest itself. */
  REFUSED,
  /** The regions have changed: those of this moment are asked, behind the last row. */
  RESET;

  /** How often a part is asked in vain, while regions are on their way. */
  private static final int MOST_FAILURES = 20;

  /**
   * The kind of a failure.
   *
   * @param order the filter that asks for the order; a server that does not know it refuses
   * @param times how often in a row the part was asked in vain before
   * @throws IOException the failure itself, where the client cannot go on
   */
  public static OrderFailure of(IOException failure, Class<? extends Filter> order, int times)
      throws IOException {
    if (OrderRefusedException.in(failure).isPresent() || UnknownFilter.isBehind(failure, order)) {
      return REFUSED;
    }
    if (OrderResetException.in(failure).isEmpty() || times >= MOST_FAILURES) {
      throw failure;
    }
    return RESET;
  }
}
