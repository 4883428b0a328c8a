package io.spyhop.server.global.repair;

import java.io.IOException;

/** Entries that seem to point at nothing may get their cells soon: they are looked at later. */
final class RepairHeldException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param index the index's name
   */
  RepairHeldException(String index) {
    super("HFiles with cells of index '" + index + "' are being loaded");
  }
}
