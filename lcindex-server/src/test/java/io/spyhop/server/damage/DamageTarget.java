package io.spyhop.server.damage;

import java.io.IOException;

/** A file of which the bytes are damaged, and what reads it. */
public interface DamageTarget {
  /** What messages call it. */
  String name();

  /** The bytes as they were written. */
  byte[] whole();

  /**
   * Reads the file with other bytes in it.
   *
   * @return whether the damage was noticed; false if all that was read is right
   * @throws AssertionError if something wrong was read
   */
  boolean isNoticed(byte[] damaged) throws IOException;
}
