package io.spyhop.server.index.global.repair;

import java.io.IOException;

/** A repair that must wait for something that will end, and is tried again later. */
final class RepairHeldException extends IOException {
  private static final long serialVersionUID = 1L;

  RepairHeldException(String why) {
    super(why);
  }

  RepairHeldException(String why, IOException cause) {
    super(why, cause);
  }
}
