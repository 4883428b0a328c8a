package io.spyhop.server.index.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The bound of logs, their order of values, and writers beside readers. */
class WriteLogTest {
  private static final byte[] F = Bytes.toBytes("f");

  private final MemoryBudget bytes = new MemoryBudget(1 << 20);
  private final AtomicInteger refused = new AtomicInteger();
  private final LogMemory memory = new LogMemory(bytes, refused::incrementAndGet);

  private static BoundColumn column(ValueType type) {
    return new BoundColumn(ColumnName.parse("f:a"), type);
  }

  private static List<Cell> cells(String row, byte[] value) {
    return List.of(new KeyValue(Bytes.toBytes(row), F, Bytes.toBytes("a"), 1, value));
  }

  @Test
  void logWithoutRoomIsDroppedAndGivesItsMemoryBack() {
    WriteLog log = new WriteLog(List.of(column(ValueType.LONG)), memory);
    WriteLog other = new WriteLog(List.of(column(ValueType.LONG)), memory);
    other.write(cells("r", Bytes.toBytes(1L)), false);
    long others = bytes.used();
    for (int i = 0; i < 100_000; i++) {
      log.write(cells("row" + i, Bytes.toBytes((long) i)), false);
    }
    assertThat(refused).hasValue(1);
    assertThat(MemstoreIndex.of(List.of(log, other))).isEmpty();
    assertThat(MemstoreIndex.of(List.of(other))).isPresent();
    assertThat(bytes.used()).isEqualTo(others).isPositive();
    other.drop();
    assertThat(bytes.used()).isZero();
    assertThat(refused).hasValue(1);
  }

  /** A row takes its key, and a few bytes more. */
  @Test
  void memoryOfRows() {
    MemoryBudget room = new MemoryBudget(64 << 20);
    WriteLog log =
        new WriteLog(
            List.of(column(ValueType.LONG)), new LogMemory(room, refused::incrementAndGet));
    for (int i = 0; i < 100_000; i++) {
      log.write(cells("row%08d".formatted(i), Bytes.toBytes((long) i)), false);
    }
    assertThat(room.used() / 100_000).isBetween(11L + 4 + 8, 11L + 4 + 8 + 16);
  }

  /** Every value of every type is found by its own key, and not by those far from it. */
  @Test
  void valuesOfEveryType() {
    for (ValueType type : ValueType.values()) {
      byte[] stored = type.codec().some().stored();
      ValueKey key = type.codec().some().key();
      WriteLog log = new WriteLog(List.of(column(type)), memory);
      log.write(cells("r", stored), false);
      MemstoreIndex index = MemstoreIndex.of(List.of(log)).orElseThrow();
      assertThat(index.estimate(column(type), KeyRanges.of(key, key))).as("%s", type).isEqualTo(1);
      assertThat(index.estimate(column(type), KeyRanges.NONE)).as("%s", type).isZero();
      log.drop();
    }
  }

  @Test
  void smallDifferencesOfLongNumbersTell() {
    WriteLog log = new WriteLog(List.of(column(ValueType.LONG)), memory);
    log.write(cells("r", Bytes.toBytes(7L)), false);
    ValueKey eight = ValueType.LONG.codec().operand(8L).key();
    assertThat(
            MemstoreIndex.of(List.of(log))
                .orElseThrow()
                .estimate(column(ValueType.LONG), KeyRanges.of(eight, null)))
        .isZero();
  }

  /** What has been written before a reader looks is there, whatever others write meanwhile. */
  @Test
  void readersBesideWriters() throws Exception {
    int writers = 3;
    int rows = 20_000;
    LogMemory room = new LogMemory(new MemoryBudget(64 << 20), refused::incrementAndGet);
    WriteLog log = new WriteLog(List.of(column(ValueType.LONG)), room);
    AtomicIntegerArray written = new AtomicIntegerArray(writers);
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int writer = w;
        all.add(pool.submit(() -> write(log, writer, rows, written)));
      }
      while (!all.stream().allMatch(Future::isDone)) {
        check(log, written);
      }
      for (Future<?> f : all) {
        f.get();
      }
      check(log, written);
      assertThat(written.get(0)).isEqualTo(rows);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void write(WriteLog log, int writer, int rows, AtomicIntegerArray written) {
    for (int i = 0; i < rows; i++) {
      log.write(cells(writer + "/" + i, Bytes.toBytes((long) i)), false);
      written.set(writer, i + 1);
    }
  }

  private static void check(WriteLog log, AtomicIntegerArray written) {
    long before = 0;
    List<String> last = new ArrayList<>();
    for (int w = 0; w < written.length(); w++) {
      int n = written.get(w);
      before += n;
      for (int i = Math.max(0, n - 50); i < n; i++) {
        last.add(w + "/" + i);
      }
    }
    MemstoreIndex index = MemstoreIndex.of(List.of(log)).orElseThrow();
    assertThat(index.writes()).isGreaterThanOrEqualTo(before);
    assertThat(last).allMatch(r -> index.mayContain(Bytes.toBytes(r), 0, Bytes.toBytes(r).length));
  }
}
