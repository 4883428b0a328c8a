package io.spyhop.server.index.stats;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.server.index.CellTtl;
import io.spyhop.server.index.memstore.WriteLog;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The statistics of writes to one store between two flushes, of writes that are about to happen.
 * Reading whether a write changes anything takes no lock; changes are made under the region's lock.
 * Thread-safe.
 */
final class Generation {
  private final long number;
  private final byte[] family;
  private final GrowingColumn[] columns;
  private final ColumnFinder finder;
  private final LongAdder cells = new LongAdder();
  private final StatisticsMemory memory;

  /** Of a generation that is closed, otherwise null. */
  private final StatisticsMemory.Kept given;

  /** The columns of which a closed generation tells. */
  private final List<StatisticsColumn> answered;

  /** Those of all writes; none if writes are not logged. */
  private final List<WriteLog> logs;

  private boolean released;
  private volatile boolean occupied;
  private volatile boolean deletes;
  private volatile boolean cellTtl;

  private Generation(
      long number,
      byte[] family,
      List<StatisticsColumn> columns,
      StatisticsMemory memory,
      StatisticsMemory.Kept given,
      List<StatisticsColumn> answered,
      List<WriteLog> logs) {
    this.number = number;
    this.family = family;
    this.finder = new ColumnFinder(columns);
    this.columns =
        columns.stream().map(c -> new GrowingColumn(c, memory)).toArray(GrowingColumn[]::new);
    this.memory = memory;
    this.given = given;
    this.answered = answered;
    this.logs = logs;
  }

  /**
   * A generation without cells, to write to.
   *
   * @param memory for filters
   * @param logs one that takes the writes, or none
   */
  static Generation open(
      long number,
      byte[] family,
      List<StatisticsColumn> columns,
      StatisticsMemory memory,
      List<WriteLog> logs) {
    return new Generation(number, family, columns, memory, null, List.of(), logs);
  }

  /**
   * A generation that nothing is written to any more, of which all is known at once.
   *
   * @param answered the columns of which the summary tells, as far as there was room
   */
  static Generation closed(
      long number,
      byte[] family,
      SourceSummary summary,
      List<StatisticsColumn> answered,
      long cells,
      StatisticsMemory memory,
      List<WriteLog> logs) {
    Generation g =
        new Generation(number, family, List.of(), memory, memory.keep(summary), answered, logs);
    g.cells.add(cells);
    g.occupied = cells > 0;
    return g;
  }

  /** Ascending. */
  long number() {
    return number;
  }

  /** Whether anything was written. */
  boolean isOccupied() {
    return occupied;
  }

  /** How many cells were written, at least as many as there are in the memstore. */
  long cells() {
    return cells.sum();
  }

  /** Whether it has statistics of all these columns. */
  boolean has(List<StatisticsColumn> wanted) {
    return wanted.stream().allMatch(c -> isGrown(c) || answered.contains(c));
  }

  /** Gives back the memory of its statistics, once: it is used no more. The lock is held. */
  void release() {
    if (released) {
      return;
    }
    released = true;
    memory.give(
        given == null
            ? Arrays.stream(columns).mapToLong(GrowingColumn::bytes).sum()
            : given.bytes());
  }

  private boolean isGrown(StatisticsColumn column) {
    return Arrays.stream(columns).anyMatch(c -> c.column().equals(column));
  }

  /** The logs of its writes. */
  List<WriteLog> logs() {
    return logs;
  }

  /** Whether its writes are in its logs, with these columns. */
  boolean isLogged(List<BoundColumn> wanted) {
    return cells() == 0 || !logs.isEmpty() && logs.stream().allMatch(l -> l.has(wanted));
  }

  /** What it knows. */
  SourceSummary summary() {
    if (given != null) {
      return given.summary();
    }
    SortedMap<ColumnName, ColumnSummary> known = new TreeMap<>();
    for (GrowingColumn c : columns) {
      known.put(c.column().name(), c.summary());
    }
    return new SourceSummary(deletes, cellTtl, known);
  }

  /**
   * Takes the cells that a write adds to one row of the store.
   *
   * @param ttl whether the write gives all its cells a TTL
   */
  void write(List<Cell> written, boolean ttl, ChangeLog log) {
    cells.add(written.size());
    for (int i = 0; i < logs.size(); i++) {
      logs.get(i).write(written, ttl);
    }
    if (!occupied) {
      log.append(SummaryChange.occupied(family), this::setOccupied);
    }
    boolean puts = false;
    long seen = 0;
    for (int i = 0; i < written.size(); i++) {
      Cell cell = written.get(i);
      if (!cellTtl && (ttl || CellTtl.isIn(cell))) {
        log.append(SummaryChange.of(SummaryChange.Kind.CELL_TTL), () -> cellTtl = true);
      }
      if (CellUtil.isPut(cell)) {
        puts = true;
        seen |= put(cell, log);
      } else if (!deletes) {
        log.append(SummaryChange.of(SummaryChange.Kind.DELETE), () -> deletes = true);
      }
    }
    if (puts) {
      absent(seen, log);
    }
  }

  private void setOccupied() {
    occupied = true;
  }

  /** The bit of the cell's column; those of all columns from the 64th on are never set. */
  private long put(Cell cell, ChangeLog log) {
    int i = finder.find(cell);
    if (i < 0) {
      return 0;
    }
    columns[i].put(cell, log);
    return i < Long.SIZE ? 1L << i : 0;
  }

  private void absent(long seen, ChangeLog log) {
    for (int i = 0; i < columns.length; i++) {
      boolean has = i < Long.SIZE && (seen & 1L << i) != 0;
      if (!has) {
        columns[i].absent(log);
      }
    }
  }
}
