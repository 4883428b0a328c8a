package io.spyhop.server.index.local;

import io.spyhop.server.index.local.column.RowPairs;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that an HFile has in common with others of its region: found once for two files, as
 * files do not change, and kept while both are there, if there is room. Thread-safe.
 */
public final class SharedRows {
  private static final Logger LOG = LoggerFactory.getLogger(SharedRows.class);

  private final RegionPairs region;

  /** By HFile; without pairs if there was no room. Changes under the region's lock. */
  private final Map<SharedRows, Optional<RowPairs>> known = new ConcurrentHashMap<>();

  /** Of searches under way; one of both files has it. */
  private final Map<SharedRows, ReentrantLock> searches = new ConcurrentHashMap<>();

  private volatile boolean gone;

  SharedRows(RegionPairs region) {
    this.region = region;
  }

  /** Finds the rows that two HFiles have in common. */
  @FunctionalInterface
  public interface Search {
    /**
     * @param awaited whether others wait for it
     */
    RowPairs find(BooleanSupplier awaited) throws IOException;
  }

  /** A query reads rows by them, if there are others. */
  void asked() {
    region.asked();
  }

  /**
   * The rows that another HFile has, too. Who asks while they are looked for waits.
   *
   * @param search finds them, if they were not looked for
   * @return empty if there is no room for them
   */
  public Optional<RowPairs> with(SharedRows other, Search search) throws IOException {
    Optional<RowPairs> pairs = known.get(other);
    if (pairs != null) {
      return pairs;
    }
    ReentrantLock lock = searchWith(other);
    lock.lock();
    try {
      pairs = known.get(other);
      return pairs != null ? pairs : keep(other, search.find(lock::hasQueuedThreads));
    } finally {
      lock.unlock();
      searches.remove(other, lock);
      other.searches.remove(this, lock);
    }
  }

  private ReentrantLock searchWith(SharedRows other) {
    synchronized (region) {
      ReentrantLock begun = other.searches.get(this);
      return begun != null ? begun : searches.computeIfAbsent(other, o -> new ReentrantLock());
    }
  }

  private Optional<RowPairs> keep(SharedRows other, RowPairs found) {
    synchronized (region) {
      Optional<RowPairs> before = known.get(other);
      if (before != null || gone || other.gone) {
        return before != null ? before : Optional.of(found);
      }
      Optional<RowPairs> kept =
          Optional.of(found).filter(p -> region.memory().tryReserve(p.heapSize()));
      if (kept.isEmpty()) {
        LOG.warn(
            "No room for {} bytes of rows in two HFiles: spyhop.pairs.bytes", found.heapSize());
      }
      known.put(other, kept);
      other.known.put(this, kept.map(RowPairs::mirrored));
      return kept;
    }
  }

  /** The HFile is gone: nothing is kept of it any more. */
  void forget() {
    synchronized (region) {
      gone = true;
      known.forEach(
          (other, pairs) -> {
            other.known.remove(this);
            pairs.ifPresent(p -> region.memory().release(p.heapSize()));
          });
      known.clear();
    }
  }

  /** How many there are, as far as they were looked for. */
  public long count() {
    return known.values().stream().mapToLong(p -> p.map(RowPairs::count).orElse(0)).sum();
  }
}
