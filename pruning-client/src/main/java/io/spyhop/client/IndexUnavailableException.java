package io.spyhop.client;

import java.io.IOException;

/**
 * A global index is unavailable, and the query may not scan in its place. It may be tried again.
 */
public final class IndexUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what is to be done about it. */
  public IndexUnavailableException(String message) {
    super(message);
  }
}
