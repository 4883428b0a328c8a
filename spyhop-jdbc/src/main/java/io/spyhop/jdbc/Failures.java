package io.spyhop.jdbc;

import com.google.common.base.Throwables;
import io.spyhop.client.QueryCancelledException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParseException;

/** Failures in a sentence: JDBC knows none but {@link SQLException}. */
final class Failures {
  private static final int LONGEST = 300;

  /** Of an exception, before its message. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\b([a-z]\\w*\\.)+[A-Z]\\w*(Exception|Error): ");

  private Failures() {}

  /** Of a statement that cannot be planned; {@code failure} is the cause. */
  static RuntimeException ofPlanning(Throwable failure) {
    return new IllegalArgumentException(
        clear(failure)
            .map(Failures::sentence)
            .orElseGet(
                () ->
                    "Calcite cannot run this statement; write it in another way ("
                        + sentence(failure)
                        + ")"),
        failure);
  }

  /** Of a statement that failed while its rows were read. */
  static SQLException ofReading(Throwable failure) {
    Optional<Throwable> late = late(failure);
    if (late.isPresent()) {
      return new SQLTimeoutException(late.get().getMessage(), failure);
    }
    return new SQLException(
        clear(failure)
            .map(Failures::sentence)
            .orElseGet(() -> "the statement failed: " + sentence(failure)),
        failure);
  }

  /** Whether the end of a statement's time is behind a failure. */
  static boolean isLate(Throwable failure) {
    return late(failure).isPresent();
  }

  /** Whether a failure is a refusal of ours, that says why. */
  static boolean isRefused(Throwable failure) {
    return Throwables.getCausalChain(failure).stream().anyMatch(c -> c instanceof RefusedException);
  }

  private static Optional<Throwable> late(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .filter(
            cause ->
                cause instanceof QueryCancelledException || cause instanceof SQLTimeoutException)
        .findFirst();
  }

  /** The first of the causes that was written for people: Calcite's rules wrap what they meet. */
  private static Optional<Throwable> clear(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .filter(
            cause ->
                cause instanceof RefusedException
                    || cause instanceof UncheckedIOException
                    || cause instanceof CalciteException
                    || cause instanceof SqlParseException)
        .findFirst();
  }

  private static String sentence(Throwable failure) {
    Throwable told = failure;
    while (told instanceof LinkageError && told.getCause() != null) {
      told = told.getCause();
    }
    if (told instanceof StackOverflowError) {
      return "nested too deeply, as long chains of OR are; IN (...) is not";
    }
    if ("Infinite or NaN".equals(told.getMessage())) {
      return "Infinite or NaN: the client sorts no rows with such values; leave them out"
          + " by a condition, as in price < 1e308";
    }
    if (told.getMessage() == null) {
      return told.getClass().getSimpleName();
    }
    if (told instanceof NumberFormatException) {
      return "a text, perhaps a row's, is no number ("
          + told.getMessage()
          + "); compare columns with values of their types, and leave rows with such texts out";
    }
    String first = told.getMessage().lines().findFirst().orElse("");
    String line = CLASS_NAME.matcher(first).replaceAll("");
    String start = line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
    return told instanceof IndexOutOfBoundsException || told instanceof ClassCastException
        ? told.getClass().getSimpleName() + ": " + start
        : start;
  }
}
