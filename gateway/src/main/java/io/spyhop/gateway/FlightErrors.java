package io.spyhop.gateway;

import io.spyhop.client.IndexUnavailableException;
import io.spyhop.client.QueryCancelledException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** Characters of a line: gRPC breaks calls off whose errors take more than some kilobytes. */
  private static final int MOST = 1_500;

  private static final Pattern TABLE = Pattern.compile("^(table '[^']*'): ");
  private static final Pattern NEW_LINE = Pattern.compile("\\s*\\R\\s*");

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
        .withDescription(line(place, message(reason)))
        .withCause(reason)
        .toRuntimeException();
  }

  /** A message that begins with the table is not told twice where it failed. */
  private static String line(String place, String message) {
    Matcher table = TABLE.matcher(message);
    String what =
        table.find() && place.startsWith(table.group(1)) ? message.substring(table.end()) : message;
    String line = NEW_LINE.matcher(place + ": " + what).replaceAll(" ");
    return line.length() > MOST ? line.substring(0, MOST) + "..." : line;
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
    if (reason instanceof OutOfMemoryException) {
      return "a batch of rows, or one row, takes more memory than a query has here; select fewer"
          + " columns, or start the gateway with a greater --memory or fewer --queries";
    }
    // What is said here, and not by a server, has no frames of a stack behind its first line.
    return reason instanceof IllegalArgumentException && reason.getMessage() != null
        ? reason.getMessage()
        : FailureText.of(reason);
  }
}
