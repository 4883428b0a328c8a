package io.spyhop.server.index.global.repair;

import io.spyhop.core.schema.IndexDefinition;
import java.util.List;

/** A region with repairs that wait in a {@link RepairQueue}. Thread-safe; its text names it. */
interface RepairedRegion extends AutoCloseable {
  /**
   * The region's indexes as they are now.
   *
   * @throws RepairHeldException if that cannot be told now: nothing that is owed may be dropped
   */
  List<IndexDefinition> indexes() throws RepairHeldException;

  /** Queues lists whose flush or compaction has committed. */
  void promote();

  /** The number of lists that wait for their flush or compaction to commit. */
  int pending();

  /** The number of lists that failed too often; they wait on disk until the region opens again. */
  int givenUp();

  /** Up to when everything found obsolete has been repaired, in milliseconds; 0 if unknown. */
  long repairedUpTo();

  /** Whether repairs of the region have to wait for the next server that opens it. */
  boolean isClosed();

  @Override
  void close();
}
