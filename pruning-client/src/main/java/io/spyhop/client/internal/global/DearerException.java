package io.spyhop.client.internal.global;

import java.io.IOException;

/** Ends the way through an index, where the rest of the rows is cheaper in another way. */
public final class DearerException extends IOException {
  private static final long serialVersionUID = 1;

  DearerException(String message) {
    super(message);
  }
}
