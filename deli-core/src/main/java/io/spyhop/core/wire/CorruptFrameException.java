package io.spyhop.core.wire;

import java.io.IOException;

/** Bytes that are not what their format says: wrong magic, version, length or checksum. */
public class CorruptFrameException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A message that names the format and what is wrong. */
  public CorruptFrameException(String message) {
    super(message);
  }

  /** A message and the failure behind it. */
  public CorruptFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
