package io.spyhop.server.global.repair;

import java.io.IOException;

/** Something that waits in a {@link RepairQueue}. */
abstract class RepairItem {
  private static final long FIRST_WAIT = 1_000;
  private static final long LONGEST_WAIT = 60_000;
  private static final long HELD_WAIT = 1_000;

  private final RegionRepair region;
  private long dueAt;
  private int failures;

  RepairItem(RegionRepair region, long dueAt) {
    this.region = region;
    this.dueAt = dueAt;
  }

  /** Does the work; what fails is tried again from where it failed, or from the beginning. */
  abstract void run() throws IOException;

  /** It will not be run any more. */
  void drop() {}

  /** Entries that it holds in memory. */
  int entries() {
    return 0;
  }

  /** How often it may fail. */
  int tries() {
    return Integer.MAX_VALUE;
  }

  RegionRepair region() {
    return region;
  }

  long dueAt() {
    return dueAt;
  }

  /** It must wait for something that will end, and is no failure. */
  void held(long now) {
    dueAt = now + HELD_WAIT;
  }

  /** False if it has failed too often. */
  boolean failed(long now) {
    failures++;
    dueAt = now + Math.min(LONGEST_WAIT, FIRST_WAIT << Math.min(failures - 1, 6));
    return failures < tries();
  }
}
