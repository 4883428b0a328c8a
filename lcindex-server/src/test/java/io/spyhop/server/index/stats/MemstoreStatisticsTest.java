package io.spyhop.server.index.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.index.memstore.RowLogger;
import io.spyhop.server.index.memstore.WriteLog;
import io.spyhop.server.memory.MemoryBudget;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Records of a memstore go in time, and not before. */
class MemstoreStatisticsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final ColumnName A = ColumnName.parse("f:a");
  private static final StatisticsColumn COLUMN =
      new StatisticsColumn(A, ValueType.LONG, BloomSize.DEFAULT, true);

  private final MemoryBudget bytes = new MemoryBudget(1 << 20);
  private final AtomicInteger refused = new AtomicInteger();
  private final LogMemory memory = new LogMemory(bytes, refused::incrementAndGet);
  private final MemoryBudget kept = new MemoryBudget(1 << 16);

  /** With room for four values. */
  private final ChangeLog log =
      new ChangeLog(270, new StatisticsMemory(kept, refused::incrementAndGet));

  private final MemstoreStatistics memstore =
      new MemstoreStatistics(F, List.of(COLUMN), memory, log);

  private void write(long value) {
    memstore.write(List.of(cell(value)), false);
  }

  private static KeyValue cell(long value) {
    return new KeyValue(Bytes.toBytes("r"), F, Bytes.toBytes("a"), 1, Bytes.toBytes(value));
  }

  private boolean has(long value) {
    ColumnSummary a = memstore.summary().columns().get(A);
    byte[] key = ValueType.LONG.codec().operand(value).key().bytes();
    return a.min() != null
        && Bytes.compareTo(a.min(), key) <= 0
        && Bytes.compareTo(a.max(), key) >= 0
        && a.bloom().mightContain(key);
  }

  /** Without room for filters and the log all values are known, by their bounds. */
  @Test
  void withoutRoomBoundsAreLeft() {
    MemoryBudget none = new MemoryBudget(0);
    ChangeLog noLog = new ChangeLog(270, new StatisticsMemory(none, refused::incrementAndGet));
    MemstoreStatistics m = new MemstoreStatistics(F, List.of(COLUMN), memory, noLog);
    long epoch = noLog.epoch();
    m.write(List.of(cell(1)), false);
    assertThat(noLog.epoch()).as("clients have a filter that is not added to").isNotEqualTo(epoch);
    m.write(List.of(cell(9)), false);
    m.write(List.of(cell(5)), false);
    assertThat(m.isKnown()).isTrue();
    assertThat(m.summary().columns().get(A).bloom()).isNull();
    assertThat(m.summary().columns().get(A).max())
        .isEqualTo(ValueType.LONG.codec().operand(9).key().bytes());
    assertThat(noLog.version()).isEqualTo(2);
    assertThat(noLog.since(1)).isEmpty();
    assertThat(noLog.since(2).orElseThrow()).isEmpty();
    long flush = m.flushing();
    m.write(List.of(cell(11)), false);
    m.snapshotTaken(m.flushing());
    assertThat(m.isKnown()).as("the flush failed, the columns stay answered").isTrue();
    m.flushed(flush);
    m.close();
    assertThat(none.used()).isZero();
  }

  @Test
  void whatIsDroppedGivesItsMemoryBack() {
    write(1);
    assertThat(kept.used()).isPositive();
    for (int i = 0; i < 3; i++) {
      long flush = memstore.flushing();
      write(i);
      memstore.snapshotTaken(flush);
      memstore.snapshotTaken(memstore.flushing());
      memstore.flushed(memstore.flushing());
    }
    memstore.close();
    memstore.close();
    assertThat(kept.used()).isZero();
  }

  /** A write that the snapshot may have missed is still there after the flush (rule 21). */
  @Test
  void flushDropsOnlyWhatWasRecordedBeforeIt() {
    write(1);
    long flush = memstore.flushing();
    write(2);
    assertThat(has(1)).isTrue();
    memstore.snapshotTaken(flush);
    assertThat(has(1)).isTrue();
    memstore.flushed(flush);
    assertThat(has(1)).isFalse();
    assertThat(has(2)).isTrue();
  }

  @Test
  void flushThatFailsDropsNothing() {
    write(1);
    memstore.snapshotTaken(memstore.flushing());
    write(2);
    long second = memstore.flushing();
    write(3);
    assertThat(has(1) && has(2) && has(3)).isTrue();
    memstore.flushed(second);
    assertThat(has(1) || has(2)).isFalse();
    assertThat(has(3)).isTrue();
  }

  /** The hook of a second flush runs while the first one flushes; HBase then turns it away. */
  @Test
  void flushThatBeganLaterDoesNotCount() {
    write(1);
    long first = memstore.flushing();
    write(2);
    memstore.flushing();
    write(3);
    memstore.flushed(first);
    assertThat(has(2) && has(3)).isTrue();
    assertThat(has(1)).isFalse();
  }

  /** A writer that found a generation before a flush began may write to it after that. */
  @Test
  void idleFlushesPileNothingUp() {
    long number = memstore.flushing();
    assertThat(memstore.flushing()).isEqualTo(number);
    for (int i = 0; i < 100; i++) {
      write(i);
      memstore.flushing();
    }
    assertThat(has(0) && has(99)).isTrue();
    long flush = memstore.flushing();
    memstore.snapshotTaken(flush);
    assertThat(has(0) && has(99)).isTrue();
    memstore.flushed(flush);
    memstore.flushed(memstore.flushing());
    assertThat(memstore.isKnown()).isTrue();
  }

  @Test
  void logReachesBackAsFarAsItsBound() {
    final long epoch = log.epoch();
    write(1);
    assertThat(log.version()).isEqualTo(2);
    write(1);
    assertThat(log.version()).isEqualTo(2);
    write(2);
    write(3);
    write(4);
    assertThat(log.since(0)).isEmpty();
    assertThat(log.since(1).orElseThrow()).hasSize(4);
    assertThat(log.since(5).orElseThrow()).isEmpty();
    assertThat(log.since(6)).isEmpty();
    assertThat(log.epoch()).isEqualTo(epoch);
    memstore.flushed(memstore.flushing());
    assertThat(log.epoch()).isNotEqualTo(epoch);
  }

  @Test
  void lostCellsAreUnknownUntilTheyAreRead() {
    write(1);
    memstore.lost(7);
    assertThat(memstore.isKnown()).isFalse();
    write(2);
    long before = memstore.reading();
    write(3);
    CellCollector all = new CellCollector(memstore.columns());
    all.add(cell(1));
    all.add(cell(2));
    all.add(cell(9));
    memstore.read(before, all.build(), all.cells(), List.of());
    assertThat(memstore.isKnown()).isTrue();
    assertThat(has(1) && has(2) && has(3) && has(9)).isTrue();
    memstore.flushed(memstore.flushing());
    assertThat(has(9)).isFalse();
  }

  /** What is lost after a flush has taken its snapshot is not in the HFile that the flush makes. */
  @Test
  void flushUnderWayDoesNotEndALoss() {
    write(1);
    long flush = memstore.flushing();
    memstore.snapshotTaken(flush);
    memstore.lost(7);
    memstore.flushed(flush);
    assertThat(memstore.isKnown()).isFalse();
    assertThat(memstore.isOccupied()).isTrue();
    assertThat(memstore.summary().columns()).isEmpty();
    memstore.flushed(memstore.flushing());
    assertThat(memstore.isKnown()).isTrue();
    assertThat(memstore.cells()).isZero();
  }

  /** The same of a reading that began before. */
  @Test
  void readingUnderWayDoesNotEndALoss() {
    memstore.lost(1);
    long before = memstore.reading();
    memstore.lost(1);
    memstore.read(before, new CellCollector(memstore.columns()).build(), 0, List.of());
    assertThat(memstore.isKnown()).isFalse();
    memstore.read(memstore.reading(), new CellCollector(memstore.columns()).build(), 0, List.of());
    assertThat(memstore.isKnown()).isTrue();
  }

  private boolean isLogged(String row) {
    byte[] b = Bytes.toBytes(row);
    return memstore.index().filter(i -> i.mayContain(b, 0, b.length)).isPresent();
  }

  /** Logs live as long as their generations. */
  @Test
  void flushDropsTheLogsOfWhatWasWrittenBeforeIt() {
    write(1);
    assertThat(isLogged("r")).isTrue();
    long flush = memstore.flushing();
    memstore.snapshotTaken(flush);
    assertThat(isLogged("r")).isTrue();
    memstore.flushed(flush);
    assertThat(isLogged("r")).isFalse();
    assertThat(memstore.index()).isPresent();
    assertThat(bytes.used()).isZero();
    write(1);
    memstore.close();
    assertThat(memstore.index()).isEmpty();
    assertThat(bytes.used()).isZero();
  }

  /** Generations that a flush leaves alone become one, which has all their rows. */
  @Test
  void logsOfAStoreThatIsNotFlushedStay() {
    write(1);
    for (int i = 0; i < 5; i++) {
      memstore.snapshotTaken(memstore.flushing());
    }
    assertThat(isLogged("r")).isTrue();
    memstore.flushed(memstore.flushing());
    assertThat(bytes.used()).isZero();
  }

  /** A reading logs what was lost; what cannot be logged for want of room is not read again. */
  @Test
  void logsOfAReading() {
    write(1);
    memstore.lost(1);
    assertThat(memstore.index()).isEmpty();
    assertThat(memstore.isMissing()).isTrue();
    CellCollector all = new CellCollector(memstore.columns());
    all.add(cell(1));
    List<WriteLog> logs = memstore.newLogs();
    RowLogger logger = new RowLogger(logs.get(0));
    logger.add(cell(1));
    logger.end();
    memstore.read(memstore.reading(), all.build(), all.cells(), logs);
    assertThat(isLogged("r")).isTrue();
    assertThat(memstore.isMissing()).isFalse();
    assertThat(bytes.tryReserve((1 << 20) - bytes.used())).isTrue();
    for (int i = 0; i < 100; i++) {
      write(i);
    }
    assertThat(refused).hasValue(1);
    assertThat(memstore.index()).isEmpty();
    assertThat(memstore.isMissing()).isFalse();
  }

  @Test
  void newColumnIsUnknownUntilAFlushOrAReading() {
    ColumnName b = ColumnName.parse("f:b");
    write(1);
    memstore.columns(List.of(COLUMN, new StatisticsColumn(b, ValueType.LONG, BloomSize.OFF, true)));
    assertThat(memstore.isKnown()).isFalse();
    assertThat(memstore.summary().columns()).containsOnlyKeys(A);
    write(2);
    long flush = memstore.flushing();
    memstore.snapshotTaken(flush);
    memstore.flushed(flush);
    assertThat(memstore.isKnown()).isTrue();
    assertThat(memstore.summary().columns()).containsOnlyKeys(A, b);
  }
}
