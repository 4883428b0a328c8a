package io.spyhop.server.view;

import java.io.IOException;

/** A view is not made because it would take more memory, or has more keys, than it may. */
public final class ViewTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what is too large. */
  public ViewTooLargeException(String message) {
    super(message);
  }
}
