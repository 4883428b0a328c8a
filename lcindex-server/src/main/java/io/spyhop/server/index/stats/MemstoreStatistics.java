package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SourceSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;

/**
 * The statistics of one store's memstore: those of a few generations together, of which the last
 * takes what is written. Thread-safe; every change of the generations is made under the log's lock.
 *
 * <p>Why a flush can drop generations: a write is recorded, as it is applied, while it holds the
 * region's lock for updates, shared. A flush opens a generation before it takes that lock alone and
 * takes its snapshot. So whatever was recorded in an earlier generation is in the snapshot.
 */
final class MemstoreStatistics {
  private static final int MAX_GENERATIONS = 16;

  private final byte[] family;
  private final ChangeLog log;
  private volatile List<StatisticsColumn> columns;
  private volatile List<Generation> generations;

  /** The last generation in whose time cells were lost, 0 if none were; changes under the lock. */
  private volatile long lostUntil;

  /** At least as many as were lost; changes under the lock. */
  private volatile long lostCells;

  MemstoreStatistics(byte[] family, List<StatisticsColumn> columns, ChangeLog log) {
    this.family = family;
    this.columns = columns;
    this.log = log;
    this.generations = List.of(Generation.open(1, family, columns));
  }

  private Generation current() {
    List<Generation> now = generations;
    return now.get(now.size() - 1);
  }

  /** Takes the cells that a write adds to one row. */
  void write(List<Cell> cells, boolean ttl) {
    current().write(cells, ttl, log);
  }

  /** A flush of the region begins; the number is for {@link #flushed}. */
  long flushing() {
    return begin();
  }

  /** A number that exceeds those of all that was written or lost, if there is room for one. */
  private long begin() {
    synchronized (log) {
      boolean full = generations.size() >= MAX_GENERATIONS;
      boolean unused = current().cells() == 0 && current().number() > lostUntil;
      return full || unused ? current().number() : open();
    }
  }

  private long open() {
    long number = current().number() + 1;
    List<Generation> now = new ArrayList<>(generations);
    now.add(Generation.open(number, family, columns));
    generations = List.copyOf(now);
    return number;
  }

  /**
   * The flush has taken its snapshot: no write under way is recorded in an earlier generation any
   * more. Those of a store that the flush leaves alone become one.
   */
  void snapshotTaken(long number) {
    synchronized (log) {
      List<Generation> old = generations.stream().filter(g -> g.number() < number).toList();
      if (old.size() < 2) {
        return;
      }
      SourceSummary all = old.stream().map(Generation::summary).reduce(SourceSummary::union).get();
      long cells = old.stream().mapToLong(Generation::cells).sum();
      List<Generation> now = new ArrayList<>(generations.subList(old.size(), generations.size()));
      now.add(0, Generation.closed(number - 1, family, all, cells));
      generations = List.copyOf(now);
    }
  }

  /** The store is flushed: what was recorded before the flush began is in an HFile. */
  void flushed(long number) {
    synchronized (log) {
      if (drop(number, List.of())) {
        log.newEpoch();
      }
    }
  }

  /**
   * Forgets what was written or lost before a generation.
   *
   * @param instead what stands for it
   * @return whether there was anything
   */
  private boolean drop(long number, List<Generation> instead) {
    List<Generation> rest = new ArrayList<>(generations);
    boolean found = lostUntil > 0 && lostUntil < number;
    if (!rest.removeIf(g -> g.number() < number) && !found) {
      return false;
    }
    if (found) {
      lostUntil = 0;
      lostCells = 0;
    }
    rest.addAll(0, instead);
    generations = List.copyOf(rest);
    return true;
  }

  /** From now on writes are recorded with these columns. */
  void columns(List<StatisticsColumn> wanted) {
    synchronized (log) {
      if (!wanted.equals(columns)) {
        columns = wanted;
        open();
        log.newEpoch();
      }
    }
  }

  /**
   * The memstore holds cells of which nothing is known. Those that were written after the snapshot
   * of a flush under way are still there when that ends: what ends the loss is a flush or a reading
   * that begins after it.
   */
  void lost(long cells) {
    synchronized (log) {
      lostUntil = current().number();
      lostCells += cells;
      log.newEpoch();
    }
  }

  /** Whether all columns are known of all cells. */
  boolean isKnown() {
    List<StatisticsColumn> wanted = columns;
    return lostUntil == 0 && generations.stream().allMatch(g -> g.has(wanted));
  }

  /** Begins a reading of the whole memstore; the number is for {@link #read}. */
  long reading() {
    return begin();
  }

  /**
   * Takes the statistics of a reading of the whole memstore.
   *
   * @param before {@link #reading()}, asked before all writes then under way had ended, and before
   *     it was read
   */
  void read(long before, SourceSummary summary, long cells) {
    synchronized (log) {
      if (drop(before, List.of(Generation.closed(before - 1, family, summary, cells)))) {
        log.newEpoch();
      }
    }
  }

  /** The columns. */
  List<StatisticsColumn> columns() {
    return columns;
  }

  /** Whether anything was written that no flush has dropped. */
  boolean isOccupied() {
    return lostUntil > 0 || generations.stream().anyMatch(Generation::isOccupied);
  }

  /** At least as many cells as the memstore holds, if no write has passed by. */
  long cells() {
    return lostCells + generations.stream().mapToLong(Generation::cells).sum();
  }

  /** All generations together; of what was lost no column is known. */
  SourceSummary summary() {
    SourceSummary lost = new SourceSummary(true, true, new TreeMap<>());
    SourceSummary all =
        generations.stream().map(Generation::summary).reduce(SourceSummary::union).orElse(lost);
    return lostUntil > 0 ? all.union(lost) : all;
  }
}
