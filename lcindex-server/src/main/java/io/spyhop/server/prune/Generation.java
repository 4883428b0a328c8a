package io.spyhop.server.prune;

import io.spyhop.core.prune.ColumnSummary;
import io.spyhop.core.prune.SourceSummary;
import io.spyhop.core.prune.SummaryChange;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What was written to one store between two flushes, or rather what is about to be. Reading whether
 * a write changes anything takes no lock; whoever changes something holds the region's lock.
 * Thread-safe.
 */
final class Generation {
  private final long number;
  private final byte[] family;
  private final List<StatisticsColumn> columns;
  private final ValueCodec[] codecs;
  private final AtomicReferenceArray<ColumnSummary> summaries;
  private final LongAdder cells = new LongAdder();
  private final SourceSummary given;
  private volatile boolean occupied;
  private volatile boolean deletes;
  private volatile boolean cellTtl;

  private Generation(
      long number, byte[] family, List<StatisticsColumn> columns, SourceSummary given) {
    this.number = number;
    this.family = family;
    this.columns = columns;
    this.given = given;
    this.codecs = new ValueCodec[columns.size()];
    this.summaries = new AtomicReferenceArray<>(columns.size());
    for (int i = 0; i < codecs.length; i++) {
      codecs[i] = columns.get(i).type().codec();
      summaries.set(i, columns.get(i).empty());
    }
  }

  /** A generation without cells, to write to. */
  static Generation open(long number, byte[] family, List<StatisticsColumn> columns) {
    return new Generation(number, family, columns, null);
  }

  /** A generation that nothing is written to any more, of which all is known at once. */
  static Generation closed(long number, byte[] family, SourceSummary summary, long cells) {
    Generation g = new Generation(number, family, List.of(), summary);
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
    Map<ColumnName, ColumnSummary> known = summary().columns();
    return wanted.stream().allMatch(c -> c.isAnsweredBy(known.get(c.name())) || isGrown(c));
  }

  private boolean isGrown(StatisticsColumn column) {
    return columns.contains(column);
  }

  /** What it knows. */
  SourceSummary summary() {
    if (given != null) {
      return given;
    }
    SortedMap<ColumnName, ColumnSummary> known = new TreeMap<>();
    for (int i = 0; i < codecs.length; i++) {
      known.put(columns.get(i).name(), summaries.get(i));
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
    if (!occupied) {
      log.append(SummaryChange.occupied(family), this::setOccupied);
    }
    boolean puts = false;
    long seen = 0;
    for (int i = 0; i < written.size(); i++) {
      Cell cell = written.get(i);
      if (!cellTtl && (ttl || CellCollector.hasTtl(cell))) {
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
    for (int i = 0; i < codecs.length; i++) {
      byte[] qualifier = columns.get(i).name().qualifier();
      if (cell.getQualifierLength() == qualifier.length
          && Bytes.equals(
              cell.getQualifierArray(),
              cell.getQualifierOffset(),
              cell.getQualifierLength(),
              qualifier,
              0,
              qualifier.length)) {
        put(i, cell, log);
        return i < Long.SIZE ? 1L << i : 0;
      }
    }
    return 0;
  }

  private void put(int column, Cell cell, ChangeLog log) {
    ValueKey key =
        codecs[column].key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    ColumnSummary now = summaries.get(column);
    ColumnName name = columns.get(column).name();
    if (key == null) {
      if (!now.hasUndecodable()) {
        change(column, SummaryChange.of(SummaryChange.Kind.UNDECODABLE, name), log);
      }
    } else if (key.isUnkeyable()) {
      if (!now.hasUnkeyable()) {
        change(column, SummaryChange.of(SummaryChange.Kind.UNKEYABLE, name), log);
      }
    } else if (!now.contains(key.bytes())) {
      change(column, SummaryChange.value(name, key.bytes()), log);
    }
  }

  private void absent(long seen, ChangeLog log) {
    for (int i = 0; i < codecs.length; i++) {
      boolean has = i < Long.SIZE && (seen & 1L << i) != 0;
      if (!has && !summaries.get(i).hasAbsent()) {
        ColumnName name = columns.get(i).name();
        change(i, SummaryChange.of(SummaryChange.Kind.ABSENT, name), log);
      }
    }
  }

  private void change(int column, SummaryChange change, ChangeLog log) {
    log.append(change, () -> summaries.set(column, change.applyTo(summaries.get(column))));
  }
}
