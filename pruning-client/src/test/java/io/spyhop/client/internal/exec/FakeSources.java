package io.spyhop.client.internal.exec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Ranges with rows made up for tests, which watch how they are used. */
final class FakeSources implements RowSource.Opener {
  /** Runs before a source hands out a row. */
  @FunctionalInterface
  interface Hook {
    void before(RowRange range, int row) throws IOException;
  }

  private final Map<RowRange, List<String>> rows =
      new TreeMap<>((a, b) -> Bytes.compareTo(a.start(), b.start()));
  private final Map<RowSource, Thread> inUse = new ConcurrentHashMap<>();
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger handedOut = new AtomicInteger();
  volatile Hook hook = (range, row) -> {};

  /** Ranges {@code r000}, {@code r001}, ... with so many rows each. */
  static FakeSources withRows(int... counts) {
    FakeSources fake = new FakeSources();
    for (int r = 0; r < counts.length; r++) {
      String start = String.format("r%03d", r);
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < counts[r]; i++) {
        keys.add(start + String.format("-%05d", i));
      }
      fake.rows.put(RowRangeTest.range(start, String.format("r%03d", r + 1)), keys);
    }
    return fake;
  }

  List<RowRange> ranges() {
    return new ArrayList<>(rows.keySet());
  }

  /** All row keys in order. */
  List<String> keys() {
    return rows.values().stream().flatMap(List::stream).toList();
  }

  int open() {
    return opened.get() - closed.get();
  }

  static Result row(String key) {
    Cell cell =
        CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
            .setRow(Bytes.toBytes(key))
            .setFamily(Bytes.toBytes("d"))
            .setQualifier(Bytes.toBytes("q"))
            .setTimestamp(1)
            .setType(Cell.Type.Put)
            .setValue(Bytes.toBytes(key))
            .build();
    return Result.create(new Cell[] {cell});
  }

  @Override
  public RowSource open(RowRange range) throws IOException {
    hook.before(range, -1);
    opened.incrementAndGet();
    Iterator<String> keys = rows.get(range).iterator();
    return new RowSource() {
      private int next;
      private boolean isClosed;

      @Override
      public Result next() throws IOException {
        Thread other = inUse.putIfAbsent(this, Thread.currentThread());
        if (other != null || isClosed) {
          throw new IllegalStateException("used by two threads, or after it was closed");
        }
        try {
          hook.before(range, next++);
          if (!keys.hasNext()) {
            return null;
          }
          handedOut.incrementAndGet();
          return row(keys.next());
        } finally {
          inUse.remove(this);
        }
      }

      @Override
      public void close() {
        if (isClosed || inUse.containsKey(this) || Thread.currentThread().isInterrupted()) {
          throw new IllegalStateException("closed twice, in use, or by an interrupted thread");
        }
        isClosed = true;
        closed.incrementAndGet();
      }
    };
  }
}
