package io.spyhop.client.internal.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderResetException;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueRowsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("v");
  private static final BoundColumn COLUMN = new BoundColumn(ColumnName.of(F, Q), ValueType.LONG);

  private final ScanPool pool = new ScanPool(2, 100);
  private final FakeTable table = new FakeTable();

  @AfterEach
  void close() {
    pool.close();
  }

  /** Rows with numbers, in regions that begin at keys. */
  private static final class FakeTable implements ValueRows.Ways {
    private final Map<String, Long> rows = new TreeMap<>();
    private List<String> starts = List.of("");
    private List<String> known = List.of("");
    private ValueOrder order = new ValueOrder(COLUMN, false);

    /** What a region's scan throws after so many rows, each once. */
    private final Deque<IOException> failures = new ArrayDeque<>();

    private int failAfter;
    private int opened;
    private int closed;
    private int fetched;
    private int sorted;
    private int paused;
    private boolean served = true;
    private int width;

    @Override
    public Optional<RowStream> first() {
      return Optional.empty();
    }

    @Override
    public boolean mayBeServed() {
      return served;
    }

    @Override
    public synchronized RowSource ordered(RowRange part, Optional<ValuePosition> after, int parts)
        throws IOException {
      opened++;
      if (starts.stream().anyMatch(s -> !s.isEmpty() && splits(part, s))) {
        closed++;
        throw new OrderResetException("more than a region");
      }
      List<Result> some = new ArrayList<>(all(List.of(part)));
      some.removeIf(r -> after.filter(a -> order.compare(at(r), a) <= 0).isPresent());
      some.sort((a, b) -> order.compare(at(a), at(b)));
      Deque<Result> left = new ArrayDeque<>(some);
      return new RowSource() {
        private int given;

        @Override
        public Result next() throws IOException {
          synchronized (FakeTable.this) {
            if (given == failAfter && !failures.isEmpty()) {
              throw failures.remove();
            }
            given++;
            fetched++;
            return left.poll();
          }
        }

        @Override
        public void close() {
          closed++;
        }
      };
    }

    private static boolean splits(RowRange part, String start) {
      byte[] key = Bytes.toBytes(start);
      return part.contains(key) && !Bytes.equals(part.start(), key);
    }

    private ValuePosition at(Result row) {
      return order.position(Arrays.asList(row.rawCells())).orElseThrow();
    }

    private List<Result> all(List<RowRange> ranges) {
      List<Result> some = new ArrayList<>();
      rows.forEach(
          (row, value) -> {
            byte[] key = Bytes.toBytes(row);
            if (ranges.stream().anyMatch(r -> r.contains(key))) {
              List<Cell> cells = new ArrayList<>();
              cells.add(new KeyValue(key, F, Q, Bytes.toBytes(value)));
              if (width > 0) {
                cells.add(new KeyValue(key, F, Bytes.toBytes("w"), new byte[width]));
              }
              some.add(Result.create(cells));
            }
          });
      return some;
    }

    @Override
    public RowStream plain(List<RowRange> ranges) {
      sorted++;
      Deque<Result> left = new ArrayDeque<>(all(ranges));
      return new RowStream() {
        @Override
        public Result next() {
          return left.poll();
        }

        @Override
        public void close() {
          left.clear();
        }
      };
    }

    @Override
    public RowStream plain() {
      return plain(List.of(RowRange.ALL));
    }

    @Override
    public void pause(int times) {
      paused++;
    }

    @Override
    public List<RowRange> cut(RowRange range, boolean now) {
      known = now ? starts : known;
      NavigableSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      known.forEach(k -> keys.add(Bytes.toBytes(k)));
      return range.cut(keys);
    }
  }

  private ValueRows rows(long limit, UnaryOperator<Result> shape) {
    return new ValueRows(
        RowRange.ALL, table.order, limit, table, pool, shape, new SortMemory(1 << 20));
  }

  private static List<String> read(ValueRows rows) throws IOException {
    List<String> read = new ArrayList<>();
    for (Result row = rows.next(); row != null; row = rows.next()) {
      read.add(Bytes.toString(row.getRow()));
    }
    return read;
  }

  private void load(String... starts) {
    for (int i = 0; i < 60; i++) {
      table.rows.put("r%02d".formatted(i), i * 7L % 20);
    }
    table.starts = List.of(starts);
    table.known = table.starts;
  }

  private List<String> expected() {
    List<Result> all = new ArrayList<>(table.all(List.of(RowRange.ALL)));
    all.sort((a, b) -> table.order.compare(table.at(a), table.at(b)));
    return all.stream().map(r -> Bytes.toString(r.getRow())).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void regionsAreMerged(boolean descending) throws IOException {
    table.order = new ValueOrder(COLUMN, descending);
    load("", "r10", "r30", "r50");
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
    assertThat(table.closed).isEqualTo(table.opened);
  }

  @Test
  void aRegionIsAskedForItsNextRowOnlyWhenItIsNeeded() throws IOException {
    load("", "r10", "r30", "r50");
    try (ValueRows rows = rows(3, r -> r)) {
      for (int i = 0; i < 3; i++) {
        rows.next();
      }
    }
    assertThat(table.fetched).isEqualTo(4 + 2);
    assertThat(table.closed).isEqualTo(4);
  }

  @Test
  void aLostScanGoesOnByPosition() throws IOException {
    load("", "r30");
    table.failAfter = 5;
    table.failures.add(new OrderResetException("opened again"));
    table.failures.add(new OrderResetException("opened again"));
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
    assertThat(table.opened).isEqualTo(4);
  }

  @Test
  void regionsThatWereSplitOrMergedAreListedAgain() throws IOException {
    load("", "r30");
    table.starts = List.of("", "r10", "r20", "r30", "r40");
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
    table.known = List.of("", "r30");
    table.starts = List.of("");
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
  }

  @Test
  void aRowWhoseValueMovesBehindTheReaderComesOnce() throws IOException {
    load("");
    try (ValueRows rows = rows(100, r -> r)) {
      List<String> read = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        read.add(Bytes.toString(rows.next().getRow()));
      }
      table.rows.put(read.get(1), 1_000L);
      table.failures.add(new OrderResetException("opened again"));
      // The scan that is open fails with its next row, as its region has moved.
      table.failAfter = 4;
      read.addAll(read(rows));
      assertThat(read).doesNotHaveDuplicates().hasSize(60);
    }
  }

  @Test
  void whatIsRefusedIsSorted() throws IOException {
    load("", "r10", "r30");
    table.failures.add(new OrderRefusedException("no index"));
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
    assertThat(table.sorted).isEqualTo(1);
    table.failAfter = 3;
    table.failures.add(new OrderRefusedException("no memory"));
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
    table.served = false;
    assertThat(read(rows(7, r -> r))).isEqualTo(expected().subList(0, 7));
  }

  @Test
  void whatAServerOfTheVersionBeforeCannotReadIsSorted() throws IOException {
    load("", "r10");
    String says = "java.lang.ClassNotFoundException: io.spyhop.core.order.ValueOrderFilter";
    table.failures.add(new DoNotRetryIOException(says));
    assertThat(read(rows(100, r -> r))).isEqualTo(expected());
    assertThat(table.sorted).isEqualTo(1);
  }

  @Test
  void otherFailuresAreTheReaders() {
    load("", "r10");
    table.failures.add(new IOException("broken"));
    assertThatThrownBy(() -> read(rows(100, r -> r))).hasMessageContaining("broken");
  }

  @Test
  void aRegionThatNeverAnswersEndsTheQuery() {
    load("");
    for (int i = 0; i < 100; i++) {
      table.failures.add(new OrderResetException("opened again"));
    }
    assertThatThrownBy(() -> read(rows(100, r -> r))).isInstanceOf(OrderResetException.class);
    assertThat(table.paused).isPositive();
  }

  @Test
  void droppedRowsDoNotEndTheAnswer() throws IOException {
    load("", "r10");
    assertThat(read(rows(100, r -> r.getRow()[2] == '5' ? r : null))).hasSize(6);
  }

  @Test
  void sortingIsBounded() {
    load("");
    table.served = false;
    ValueRows rows =
        new ValueRows(RowRange.ALL, table.order, 100, table, pool, r -> r, new SortMemory(1_000));
    assertThatThrownBy(() -> read(rows)).hasMessageContaining(SortMemory.BYTES);
  }

  /** With room for one of them, and 30 regions. */
  @Test
  void wideRowsHaveNoOpenScanBeforeTheirTurn() throws IOException {
    Configuration conf = new Configuration(false);
    conf.setLong("spyhop.client.readahead.bytes", 24 << 10);
    List<String> starts = new ArrayList<>(List.of(""));
    TreeMap<String, String> expected = new TreeMap<>();
    for (int i = 0; i < 120; i++) {
      String key = String.format("k%03d", i);
      long value = i * 7919L % 120;
      table.rows.put(key, value);
      expected.put(String.format("%03d", value), key);
      if (i > 0 && i % 4 == 0) {
        starts.add(key);
      }
    }
    table.starts = List.copyOf(starts);
    table.known = table.starts;
    table.width = 9_000;
    try (ScanPool little = ScanPool.forThisMachine(conf);
        ValueRows rows =
            new ValueRows(
                RowRange.ALL, table.order, 120, table, little, r -> r, new SortMemory(1 << 20))) {
      List<String> read = new ArrayList<>();
      for (Result row = rows.next(); row != null; row = rows.next()) {
        read.add(Bytes.toString(row.getRow()));
        assertThat(table.opened - table.closed).isLessThanOrEqualTo(3);
      }
      assertThat(read).isEqualTo(List.copyOf(expected.values()));
    }
    assertThat(table.opened).isEqualTo(table.closed);
  }
}
