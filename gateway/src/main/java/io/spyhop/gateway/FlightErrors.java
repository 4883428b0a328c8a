package io.spyhop.gateway;

import io.spyhop.client.IndexUnavailableException;
import io.spyhop.client.QueryCancelledException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures as clients get them: a status of Flight and one line. Stateless. */
final class FlightErrors {
  private static final Logger LOG = LoggerFactory.getLogger(FlightErrors.class);

  private FlightErrors() {}

  /**
   * The error of a call.
   *
   * @param place where it failed, for the message: {@code table 'orders' as user 'alice'}
   */
  static FlightRuntimeException of(String place, Throwable e) {
    if (e instanceof FlightRuntimeException told) {
      return told;
    }
    Throwable reason = FailureText.reason(e);
    CallStatus status = status(reason);
    if (status.code() == CallStatus.INTERNAL.code()) {
      LOG.warn("A call failed: {}", place, e);
    }
    return status
        .withDescription(place + ": " + message(reason))
        .withCause(reason)
        .toRuntimeException();
  }

  private static CallStatus status(Throwable reason) {
    if (reason instanceof IllegalArgumentException
        || reason instanceof UnrepresentableValueException) {
      return CallStatus.INVALID_ARGUMENT;
    }
    if (reason instanceof TableNotFoundException || reason instanceof NamespaceNotFoundException) {
      return CallStatus.NOT_FOUND;
    }
    if (reason instanceof AccessDeniedException) {
      return CallStatus.UNAUTHORIZED;
    }
    if (reason instanceof QueryCancelledException) {
      return CallStatus.TIMED_OUT;
    }
    if (reason instanceof IndexUnavailableException) {
      return CallStatus.UNAVAILABLE;
    }
    return reason instanceof TooManyException || reason instanceof OutOfMemoryException
        ? CallStatus.RESOURCE_EXHAUSTED
        : CallStatus.INTERNAL;
  }

  private static String message(Throwable reason) {
    return reason instanceof OutOfMemoryException
        ? "a batch of rows takes more memory than a query has here; select fewer columns, or start"
            + " the gateway with a greater --memory or fewer --queries"
        : FailureText.of(reason);
  }
}
