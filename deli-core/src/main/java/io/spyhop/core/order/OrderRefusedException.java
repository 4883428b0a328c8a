package io.spyhop.core.order;

import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A region's refusal to hand out rows in the order of values, as no index helps, say. A client that
 * wants them so reads them by a plain scan, and sorts.
 */
public final class OrderRefusedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** HBase's client makes it of what a server sends. */
  public OrderRefusedException(String message) {
    super(message);
  }

  /** The refusal behind what a client caught, if it is one. */
  public static Optional<String> in(Throwable failure) {
    return Refusals.in(failure, OrderRefusedException.class);
  }
}
