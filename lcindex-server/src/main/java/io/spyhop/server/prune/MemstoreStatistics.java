package io.spyhop.server.prune;

import io.spyhop.core.prune.ColumnSummary;
import io.spyhop.core.prune.SourceSummary;
import io.spyhop.core.schema.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
    synchronized (log) {
      boolean full = generations.size() >= MAX_GENERATIONS;
      return full || current().cells() == 0 ? current().number() : open();
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
      List<Generation> rest =
          generations.stream().filter(g -> g.number() >= number).collect(Collectors.toList());
      if (rest.size() < generations.size() && !rest.isEmpty()) {
        generations = List.copyOf(rest);
        log.newEpoch();
      }
    }
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

  /** The memstore holds cells of which nothing is known. */
  void lost(long cells) {
    synchronized (log) {
      List<Generation> now = new ArrayList<>(generations);
      SourceSummary nothing = new SourceSummary(true, true, new TreeMap<>());
      now.add(0, Generation.closed(now.get(0).number() - 1, family, nothing, cells));
      generations = List.copyOf(now);
      open();
      log.newEpoch();
    }
  }

  /** Whether all columns are known of all cells. */
  boolean isKnown() {
    List<StatisticsColumn> wanted = columns;
    return generations.stream().allMatch(g -> g.has(wanted));
  }

  /** The last generation, before which {@link #read} tells of everything. */
  long lastNumber() {
    return current().number();
  }

  /**
   * Somebody has read the whole memstore.
   *
   * @param before {@link #lastNumber()}, asked before all writes then under way had ended, and
   *     before it was read
   */
  void read(long before, SourceSummary summary, long cells) {
    synchronized (log) {
      List<Generation> rest =
          generations.stream().filter(g -> g.number() >= before).collect(Collectors.toList());
      if (rest.size() < generations.size()) {
        rest.add(0, Generation.closed(before - 1, family, summary, cells));
        generations = List.copyOf(rest);
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
    return generations.stream().anyMatch(Generation::isOccupied);
  }

  /** At least as many cells as the memstore holds, if no write has passed by. */
  long cells() {
    return generations.stream().mapToLong(Generation::cells).sum();
  }

  /** All generations together. */
  SourceSummary summary() {
    return generations.stream()
        .map(Generation::summary)
        .reduce(SourceSummary::union)
        .orElseGet(this::nothing);
  }

  private SourceSummary nothing() {
    SortedMap<ColumnName, ColumnSummary> empty = new TreeMap<>();
    columns.forEach(c -> empty.put(c.name(), c.empty()));
    return new SourceSummary(false, false, empty);
  }
}
