package io.spyhop.server.seal;

import io.spyhop.core.wire.CorruptFrameException;

/**
 * An envelope is whole, and what is in it cannot be decrypted with the keys that the server has.
 */
public final class UndecryptableException extends CorruptFrameException {
  private static final long serialVersionUID = 1L;

  UndecryptableException(RuntimeException cause) {
    super("sealed file: cannot be decrypted", cause);
  }
}
