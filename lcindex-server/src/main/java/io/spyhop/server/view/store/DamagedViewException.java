package io.spyhop.server.view.store;

import java.io.IOException;

/** A contradiction between a view and a file that it covers. */
final class DamagedViewException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedViewException(String message) {
    super(message);
  }
}
