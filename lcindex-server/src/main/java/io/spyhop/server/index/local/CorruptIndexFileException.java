package io.spyhop.server.index.local;

import java.io.IOException;

/**
 * An index file that is damaged, or seems so: reading it failed. Whether it is to be dropped and
 * built again {@link FileDamage} says, by the cause.
 */
public class CorruptIndexFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A message that names the file. */
  public CorruptIndexFileException(String message) {
    super(message);
  }

  /** A message that names the file, and what reading it led to. */
  public CorruptIndexFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
