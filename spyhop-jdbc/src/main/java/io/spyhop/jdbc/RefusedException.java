package io.spyhop.jdbc;

/** A statement that is not answered; the message says why, and what to write instead. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
