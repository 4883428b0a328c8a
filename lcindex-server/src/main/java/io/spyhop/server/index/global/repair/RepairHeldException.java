package io.spyhop.server.index.global.repair;

import java.io.IOException;

/** What is to be repaired must wait for something that will end; it is looked at later. */
final class RepairHeldException extends IOException {
  private static final long serialVersionUID = 1L;

  RepairHeldException(String why) {
    super(why);
  }

  RepairHeldException(String why, IOException cause) {
    super(why, cause);
  }
}
