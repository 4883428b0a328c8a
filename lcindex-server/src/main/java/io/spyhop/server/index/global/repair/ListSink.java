package io.spyhop.server.index.global.repair;

import java.io.IOException;

/** Takes the repair lists that a look at all entries makes. */
interface ListSink {
  /** Begins a list, which no other thread touches until it is looked or abandoned. */
  RepairListWriter newList();

  /**
   * Queues a list of entries that have just been found: their reader has the whole grace period.
   *
   * @param foundAt since when the list is owed, by the server's clock
   * @throws IOException if the list cannot be made durable
   */
  void looked(RepairListWriter list, long foundAt) throws IOException;

  /** Deletes a list that was begun. */
  void abandon(RepairListWriter list);
}
