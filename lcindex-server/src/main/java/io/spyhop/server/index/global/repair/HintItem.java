package io.spyhop.server.index.global.repair;

import io.spyhop.core.protocol.EntryList;
import java.io.IOException;

/** Entries that only the memory has. */
final class HintItem extends RepairItem {
  private static final int TRIES = 5;

  private final EntryList list;
  private final Held held;

  /**
   * @param by who has reported them; empty for this server's own writes
   */
  HintItem(RegionRepair region, EntryList list, String by, long dueAt) {
    super(region, dueAt);
    this.list = list;
    this.held = new Held(list.entries().size(), list.bytes(), by);
  }

  @Override
  void run() throws IOException {
    region().entries().removeHinted(list, held.isReported());
  }

  @Override
  Held holds() {
    return held;
  }

  @Override
  int tries() {
    return TRIES;
  }

  @Override
  void givenUp() {
    region().entries().dropped(held.entries());
  }

  @Override
  public String toString() {
    return "repair of " + held.entries() + " entries of " + list.index();
  }
}
