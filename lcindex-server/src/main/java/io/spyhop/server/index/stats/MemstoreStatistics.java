package io.spyhop.server.index.stats;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.index.memstore.MemstoreIndex;
import io.spyhop.server.index.memstore.WriteLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;

/**
 * The statistics of one store's memstore, and the logs of its writes: those of a few generations
 * together, of which the last takes what is written. Thread-safe; every change of the generations
 * is made under the log's lock.
 *
 * <p>Why a flush can drop generations: a write is recorded, as it is applied, while it holds the
 * region's lock for updates, shared. A flush opens a generation before it takes that lock alone and
 * takes its snapshot. So whatever was recorded in an earlier generation is in the snapshot.
 */
final class MemstoreStatistics {
  private static final int MAX_GENERATIONS = 16;

  private final byte[] family;
  private final LogMemory memory;
  private final ChangeLog log;
  private volatile List<StatisticsColumn> columns;
  private volatile List<Generation> generations;

  /** Whether all generations have all columns; changes with them. */
  private volatile boolean known;

  private boolean closed;

  /** The last generation in whose time cells were lost, 0 if none were; changes under the lock. */
  private volatile long lostUntil;

  /** At least as many as were lost; changes under the lock. */
  private volatile long lostCells;

  /**
   * @param memory for logs of writes
   */
  MemstoreStatistics(
      byte[] family, List<StatisticsColumn> columns, LogMemory memory, ChangeLog log) {
    this.family = family;
    this.memory = memory;
    this.columns = columns;
    this.log = log;
    generations(List.of(Generation.open(1, family, columns, log.memory(), newLogs())));
  }

  private void generations(List<Generation> now) {
    generations = List.copyOf(now);
    known = now.stream().allMatch(g -> g.has(columns));
  }

  /** A log for writes, or for a reading; none if no column is logged. */
  List<WriteLog> newLogs() {
    List<BoundColumn> logged = StatisticsColumn.logged(columns);
    return logged.isEmpty() ? List.of() : List.of(new WriteLog(logged, memory));
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
    now.add(Generation.open(number, family, columns, log.memory(), newLogs()));
    generations(now);
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
      List<StatisticsColumn> answered =
          columns.stream().filter(c -> old.stream().allMatch(g -> g.has(List.of(c)))).toList();
      long cells = old.stream().mapToLong(Generation::cells).sum();
      List<WriteLog> logs = old.stream().flatMap(g -> g.logs().stream()).toList();
      if (!old.stream().allMatch(g -> g.isLogged(List.of()))) {
        logs.forEach(WriteLog::drop);
        logs = List.of();
      }
      List<Generation> now = new ArrayList<>(generations.subList(old.size(), generations.size()));
      old.forEach(Generation::release);
      now.add(0, Generation.closed(number - 1, family, all, answered, cells, log.memory(), logs));
      generations(now);
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
    List<Generation> old = generations.stream().filter(g -> g.number() < number).toList();
    List<Generation> rest = new ArrayList<>(generations);
    boolean found = lostUntil > 0 && lostUntil < number;
    if (!rest.removeAll(old) && !found) {
      return false;
    }
    old.stream().flatMap(g -> g.logs().stream()).forEach(WriteLog::drop);
    old.forEach(Generation::release);
    if (found) {
      lostUntil = 0;
      lostCells = 0;
    }
    rest.addAll(0, instead);
    generations(rest);
    return true;
  }

  /** From now on writes are recorded with these columns. */
  void columns(List<StatisticsColumn> wanted) {
    synchronized (log) {
      if (!wanted.equals(columns)) {
        known = false;
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
    return lostUntil == 0 && known;
  }

  /** Whether the memstore must be read: for its statistics, or as its writes are not logged. */
  boolean isMissing() {
    List<BoundColumn> logged = StatisticsColumn.logged(columns);
    return !isKnown()
        || !logged.isEmpty() && !generations.stream().allMatch(g -> g.isLogged(logged));
  }

  /** The rows by value; empty if not all cells are known to be logged, or not any more. */
  Optional<MemstoreIndex> index() {
    List<Generation> all = generations;
    return lostUntil == 0 && all.stream().allMatch(g -> g.isLogged(List.of()))
        ? MemstoreIndex.of(all.stream().flatMap(g -> g.logs().stream()).toList())
        : Optional.empty();
  }

  /** Lets go of all logs: the region closes, or has no columns any more. May come twice. */
  void close() {
    synchronized (log) {
      if (closed) {
        return;
      }
      closed = true;
      generations.stream().flatMap(g -> g.logs().stream()).forEach(WriteLog::drop);
      generations.forEach(Generation::release);
      log.clear();
    }
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
   * @param logs of {@link #newLogs()}, with all rows that were read
   */
  void read(long before, SourceSummary summary, long cells, List<WriteLog> logs) {
    synchronized (log) {
      List<StatisticsColumn> answered = StatisticsColumn.answered(columns, summary);
      Generation read =
          Generation.closed(before - 1, family, summary, answered, cells, log.memory(), logs);
      if (!closed && drop(before, List.of(read))) {
        log.newEpoch();
      } else {
        logs.forEach(WriteLog::drop);
        read.release();
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
    List<Generation> all = generations;
    long cells = lostCells;
    for (int i = 0; i < all.size(); i++) {
      cells += all.get(i).cells();
    }
    return cells;
  }

  /** All generations together; of what was lost no column is known. */
  SourceSummary summary() {
    SourceSummary lost = new SourceSummary(true, true, new TreeMap<>());
    SourceSummary all =
        generations.stream().map(Generation::summary).reduce(SourceSummary::union).orElse(lost);
    return lostUntil > 0 ? all.union(lost) : all;
  }
}
