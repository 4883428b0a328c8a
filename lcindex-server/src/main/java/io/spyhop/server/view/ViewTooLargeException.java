package io.spyhop.server.view;

import java.io.IOException;

/** A view is not made because it would take more memory, or has more keys, than it may. */
public final class ViewTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long bytes;
  private final long keys;

  /**
   * Says what is too large.
   *
   * @param bytes that at least were needed
   * @param keys for so many keys; 0 if the bytes are for all
   */
  public ViewTooLargeException(String message, long bytes, long keys) {
    super(message);
    this.bytes = bytes;
    this.keys = keys;
  }

  /** Bytes that at least were needed. */
  public long bytes() {
    return bytes;
  }

  /** For how many keys; 0 if for all. */
  public long keys() {
    return keys;
  }
}
