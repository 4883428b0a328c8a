package io.spyhop.cluster;

import java.io.IOException;

/** Something is refused, before anything is changed. The message is one line for the operator. */
public final class ClusterException extends IOException {
  private static final long serialVersionUID = 1;

  /** Takes the message. */
  public ClusterException(String message) {
    super(message);
  }
}
