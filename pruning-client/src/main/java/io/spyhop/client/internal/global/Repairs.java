package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the base table of entries that nothing seems to be behind: online repair. Regions look
 * again before they delete, so that a hint may be wrong, late or lost. Thread-safe.
 */
public final class Repairs {
  private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);

  private final IndexCalls calls;
  private final ScanPool pool;

  /** Hints go out in threads of the pool. */
  public Repairs(IndexCalls calls, ScanPool pool) {
    this.calls = calls;
    this.pool = pool;
  }

  /** Has entries looked at soon, if there are any and a thread can be had. */
  public void offer(IndexDefinition index, List<Entry> entries) {
    if (!entries.isEmpty()) {
      List<Entry> copy = List.copyOf(entries);
      pool.offer(() -> tell(index, copy));
    }
  }

  /** Has entries looked at; waits until the regions know. */
  private void tell(IndexDefinition index, List<Entry> entries) {
    try {
      calls.repair(index, entries);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} entries of index {} are left for later repair", entries.size(), index, e);
    }
  }
}
