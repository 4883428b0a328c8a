package io.spyhop.cli.csv;

import java.io.IOException;

/** A file that is no CSV, or not of this form; the message says where, and what to do. */
public final class InvalidCsvException extends IOException {
  private static final long serialVersionUID = 1L;

  InvalidCsvException(String message) {
    super(message);
  }
}
