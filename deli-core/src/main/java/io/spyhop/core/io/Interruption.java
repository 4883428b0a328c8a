package io.spyhop.core.io;

import java.io.InterruptedIOException;

/** Reports interrupted threads as failed calls. Stateless. */
public final class Interruption {
  private Interruption() {}

  /** The exception to throw; the thread's flag is set again. */
  public static InterruptedIOException of(String message, Exception e) {
    Thread.currentThread().interrupt();
    return (InterruptedIOException) new InterruptedIOException(message).initCause(e);
  }
}
