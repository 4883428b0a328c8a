package io.spyhop.core.order;

import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A region's refusal of a scan in the order of values that HBase's client has opened again at the
 * last row that it saw, or that reaches beyond the region, as regions were split or merged. A
 * client that has the position of that row opens another scan there, of the regions as they are
 * now.
 */
public final class OrderResetException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** HBase's client makes it of what a server sends. */
  public OrderResetException(String message) {
    super(message);
  }

  /** The refusal behind what a client caught, if it is one. */
  public static Optional<String> in(Throwable failure) {
    return Refusals.in(failure, OrderResetException.class);
  }
}
