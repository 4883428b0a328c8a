package io.spyhop.cli.console;

import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something of a cluster that may not be to be had by itself. What was seen last stays, with its
 * time: unknown is neither empty nor zero. Not thread-safe.
 */
final class Part<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Part.class);

  private final String what;
  private T last;
  private Long seenAt;
  private String failure;

  /**
   * @param what as failures name it
   */
  Part(String what) {
    this.what = what;
  }

  /**
   * Looks at it.
   *
   * @param at when this look began
   * @return whether it was seen
   * @throws InterruptedIOException if the thread is to end
   */
  boolean look(long at, IoSupplier<T> source) throws InterruptedIOException {
    try {
      last = source.get();
      seenAt = at;
      failure = null;
    } catch (IOException | RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw (InterruptedIOException) new InterruptedIOException("the console ends").initCause(e);
      }
      LOG.debug("Cannot find out about {}", what, e);
      failure = what + ": " + text(e);
    }
    return failure == null;
  }

  /** The innermost reason, in one line. */
  private static String text(Throwable failure) {
    Throwable e = failure;
    while (e.getCause() != null && e.getCause() != e) {
      e = e.getCause();
    }
    String name = e.getClass().getSimpleName();
    return e.getMessage() == null
        ? name
        : name + ": " + e.getMessage().lines().findFirst().orElse("").strip();
  }

  /** What was seen last; null before that. */
  T last() {
    return last;
  }

  /** When that was, milliseconds since the epoch; null if it never was. */
  Long seenAt() {
    return seenAt;
  }

  /** Adds why it could not be seen the last time, if so. */
  void addFailure(List<String> failures) {
    if (failure != null) {
      failures.add(failure);
    }
  }
}
