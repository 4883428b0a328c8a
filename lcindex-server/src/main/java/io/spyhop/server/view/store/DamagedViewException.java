package io.spyhop.server.view.store;

import java.io.IOException;

/** What a view says of a file is not so. */
final class DamagedViewException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedViewException(String message) {
    super(message);
  }
}
