package io.spyhop.server.index.global.repair;

import java.io.IOException;

/** Something that waits in a {@link RepairQueue}. */
abstract class RepairItem {
  private static final long FIRST_WAIT = 1_000;
  private static final long LONGEST_WAIT = 600_000;
  private static final long HELD_WAIT = 1_000;

  /** With the waits in between about two hours, unless there was some progress. */
  private static final int TRIES = 20;

  private final RepairedRegion region;
  private long dueAt;
  private int failures;

  RepairItem(RepairedRegion region, long dueAt) {
    this.region = region;
    this.dueAt = dueAt;
  }

  /**
   * The memory that an item holds while it waits.
   *
   * @param entries how many
   * @param bytes about
   * @param by the user who has reported them; empty if nobody has
   */
  record Held(int entries, long bytes, String by) {
    static final Held NOTHING = new Held(0, 0, "");

    boolean isReported() {
      return !by.isEmpty();
    }
  }

  /** Does the work; what fails is tried again from where it failed, or from the beginning. */
  abstract void run() throws IOException;

  /** It has failed too often, and is not run any more. */
  abstract void givenUp();

  /** Its region has closed before it was done. */
  void left() {}

  /** There was no room for it. */
  void dropped() {}

  /** What it holds in memory. */
  Held holds() {
    return Held.NOTHING;
  }

  /** How often it may fail in a row. */
  int tries() {
    return TRIES;
  }

  RepairedRegion region() {
    return region;
  }

  long dueAt() {
    return dueAt;
  }

  /** It must wait for something that will end, and is no failure. */
  void held(long now) {
    dueAt = now + HELD_WAIT;
  }

  /** A part of the work is done. */
  void progressed() {
    failures = 0;
  }

  /** False if it has failed too often. */
  boolean failed(long now) {
    failures++;
    dueAt = now + Math.min(LONGEST_WAIT, FIRST_WAIT << Math.min(failures - 1, 10));
    return failures < tries();
  }
}
