package io.spyhop.server.index.local;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.index.local.column.RowPairs;
import io.spyhop.server.memory.MemoryBudget;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that an HFile has in common with others of its region: found once for two files, as
 * files do not change, and kept while both are there, if there is room. Thread-safe.
 */
public final class SharedRows {
  private static final Logger LOG = LoggerFactory.getLogger(SharedRows.class);

  private final Object finding;
  private final MemoryBudget memory;

  /** By HFile; without pairs if there was no room. Changes under the lock. */
  private final Map<SharedRows, Optional<RowPairs>> known = new ConcurrentHashMap<>();

  private volatile boolean gone;

  /**
   * @param finding of all HFiles of a region one lock, so that none are looked for twice
   * @param memory for all pairs of the server
   */
  SharedRows(Object finding, MemoryBudget memory) {
    this.finding = finding;
    this.memory = memory;
  }

  /**
   * The rows that another HFile has, too.
   *
   * @param search finds them, if they were not looked for
   * @return empty if there is no room for them
   */
  public Optional<RowPairs> with(SharedRows other, IoSupplier<RowPairs> search) throws IOException {
    Optional<RowPairs> pairs = known.get(other);
    if (pairs != null) {
      return pairs;
    }
    synchronized (finding) {
      pairs = known.get(other);
      return pairs != null ? pairs : keep(other, search.get());
    }
  }

  private Optional<RowPairs> keep(SharedRows other, RowPairs found) {
    if (gone || other.gone) {
      return Optional.of(found);
    }
    Optional<RowPairs> kept = Optional.of(found).filter(p -> memory.tryReserve(p.heapSize()));
    if (kept.isEmpty()) {
      LOG.warn("No room for {} bytes of rows in two HFiles: spyhop.pairs.bytes", found.heapSize());
    }
    known.put(other, kept);
    other.known.put(this, kept.map(RowPairs::mirrored));
    return kept;
  }

  /** The HFile is gone: nothing is kept of it any more. */
  void forget() {
    synchronized (finding) {
      gone = true;
      known.forEach(
          (other, pairs) -> {
            other.known.remove(this);
            pairs.ifPresent(p -> memory.release(p.heapSize()));
          });
      known.clear();
    }
  }

  /** How many there are, as far as they were looked for. */
  public long count() {
    return known.values().stream().mapToLong(p -> p.map(RowPairs::count).orElse(0)).sum();
  }
}
