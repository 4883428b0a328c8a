package io.spyhop.cli.csv;

/** One line that makes no row; the others do. The message says where it is, and what to do. */
final class RejectedLineException extends Exception {
  private static final long serialVersionUID = 1L;

  RejectedLineException(String message) {
    super(message);
  }
}
