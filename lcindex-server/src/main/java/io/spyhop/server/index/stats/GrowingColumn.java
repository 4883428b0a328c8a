package io.spyhop.server.index.stats;

import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.GrowingSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.core.stats.SummaryChange.Kind;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import org.apache.hadoop.hbase.Cell;

/**
 * The statistics of writes to one column of a memstore. Every write comes here, and most of them
 * change nothing: to see that takes no lock. Who changes something holds the log's. Thread-safe.
 */
final class GrowingColumn {
  private final StatisticsColumn column;
  private final ValueCodec codec;
  private final GrowingSummary grown;
  private final KnownValues known = new KnownValues();

  GrowingColumn(StatisticsColumn column, StatisticsMemory memory) {
    this.column = column;
    this.codec = column.type().codec();
    this.grown = column.growing(memory);
  }

  StatisticsColumn column() {
    return column;
  }

  /** The bytes of memory that it took. */
  long bytes() {
    return grown.filterBytes();
  }

  /** What was written so far. */
  ColumnSummary summary() {
    return grown.summary();
  }

  /** Takes a put cell of the column. */
  void put(Cell cell, ChangeLog log) {
    if (!known.contains(cell)) {
      record(cell, log);
      known.add(cell);
    }
  }

  private void record(Cell cell, ChangeLog log) {
    ValueKey key = codec.key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (key == null) {
      note(Kind.UNDECODABLE, log);
    } else if (key.isUnkeyable()) {
      note(Kind.UNKEYABLE, log);
    } else if (!grown.contains(key.bytes())) {
      change(SummaryChange.value(column.name(), key.bytes()), log);
    }
  }

  /** Takes a row that may have no put of the column. */
  void absent(ChangeLog log) {
    note(Kind.ABSENT, log);
  }

  private void note(Kind kind, ChangeLog log) {
    if (!grown.has(kind)) {
      change(SummaryChange.of(kind, column.name()), log);
    }
  }

  private void change(SummaryChange change, ChangeLog log) {
    log.append(change, () -> apply(change, log));
  }

  /**
   * Without a filter no change tells of values within the bounds any more. Clients have one, to
   * which they would go on adding what they are told: they must take this one instead.
   */
  private void apply(SummaryChange change, ChangeLog log) {
    boolean filtered = grown.isFiltered();
    grown.apply(change);
    if (filtered && !grown.isFiltered()) {
      log.newEpoch();
    }
  }
}
