package io.spyhop.server.index.local;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.memory.QueryMemory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;

/**
 * Finds rows by a columnar file in the order of their values. All blocks are matched first; then of
 * each the next few rows are found by the upper bits of their codes, so that nothing is sorted but
 * these few. A row with several values comes once for each. Not thread-safe.
 */
final class ValueOrderCursor extends ColumnCursor implements OrderedCursor {
  private static final int FIRST = 2;
  private static final int MOST = 512;
  private static final int OVERHEAD = 64;

  /** Up to this the order is served however little memory is left; bits of half a million rows. */
  private static final long FREE = 256 << 10;

  private final boolean descending;
  private final KeyRanges keys;
  private final ColumnName column;
  private final ValueCodec codec;
  private final QueryMemory memory;
  private final PriorityQueue<Part> parts = new PriorityQueue<>(this::compare);
  private boolean begun;
  private long held;
  private long counted;
  private byte[] key;

  /** A value and its row in a block. */
  private record Entry(byte[] key, int row) {
    static Comparator<Entry> order(boolean descending) {
      Comparator<byte[]> ascending = Arrays::compareUnsigned;
      return Comparator.comparing(Entry::key, descending ? ascending.reversed() : ascending)
          .thenComparing(Entry::row);
    }
  }

  /** Rows of one block: the next few in order, and those that are left. */
  private static final class Part {
    private final MatchedRows matched;
    private final long[] left;
    private Deque<Entry> next = new ArrayDeque<>();
    private int wanted = FIRST;
    private long counted;

    Part(MatchedRows matched, long[] left) {
      this.matched = matched;
      this.left = left;
    }

    int block() {
      return matched.block();
    }

    /** What has come to its bytes on the heap since the last call. */
    long grown() {
      long before = counted;
      counted = next.isEmpty() ? 0 : matched.heapSize() + (long) left.length * Long.BYTES;
      counted += next.stream().mapToLong(e -> OVERHEAD + e.key.length).sum();
      return counted - before;
    }
  }

  /**
   * @param driving the file of the driving index
   * @param memory for what is kept of all blocks
   */
  ValueOrderCursor(
      ColumnSource driving, boolean descending, RecordRequest request, QueryMemory memory)
      throws IOException {
    super(driving, request);
    this.descending = descending;
    this.keys = request.keys();
    this.column = driving.definition().column();
    this.codec = driving.definition().type().codec();
    this.memory = memory;
  }

  private int compare(Part a, Part b) {
    Entry one = a.next.element();
    Entry other = b.next.element();
    int c = Arrays.compareUnsigned(one.key, other.key);
    if (c != 0) {
      return descending ? -c : c;
    }
    c = Integer.compare(a.block(), b.block());
    return c != 0 ? c : Integer.compare(one.row, other.row);
  }

  @Override
  boolean advance() throws IOException {
    begin();
    Part part = parts.poll();
    if (part == null) {
      return false;
    }
    Entry entry = part.next.remove();
    if (part.next.isEmpty()) {
      fill(part);
      hold(part.grown());
    }
    add(part);
    key = entry.key;
    read(part.matched, entry.row);
    return true;
  }

  private void add(Part part) {
    if (!part.next.isEmpty()) {
      parts.add(part);
    }
  }

  private void hold(long more) throws QueryMemory.ExhaustedException {
    held += more;
    long beyond = Math.max(0, held - FREE);
    memory.add(beyond - counted);
    counted = beyond;
  }

  private void begin() throws IOException {
    for (int block = firstBlock(); !begun && block <= lastBlock(); block++) {
      MatchedRows matched = matcher.match(block);
      if (!RowBits.isEmpty(matched.found())) {
        begin(matched);
      }
    }
    begun = true;
  }

  private void begin(MatchedRows matched) throws IOException {
    Part part = new Part(matched, matched.found().clone());
    Part several = new Part(matched, RowBits.none(0));
    long[] ofSeveral = new long[part.left.length];
    matcher.own().values(matched.block()).separate(part.left, ofSeveral);
    several.next = keysOf(matched.block(), ofSeveral);
    fill(part);
    hold(several.grown() + part.grown());
    add(several);
    add(part);
  }

  /** Finds the next few rows of those that are left. */
  private void fill(Part part) throws IOException {
    while (part.next.isEmpty() && !RowBits.isEmpty(part.left)) {
      ColumnBlock values = matcher.own().values(part.block());
      long[] few = new long[part.left.length];
      values.addFirst(part.wanted, descending, part.left, few);
      RowBits.andNot(part.left, few);
      part.wanted = Math.min(2 * part.wanted, MOST);
      part.next = values.isExact() ? decoded(values, few) : keysOf(part.block(), few);
    }
  }

  /** Rows by what their codes stand for. */
  private Deque<Entry> decoded(ColumnBlock values, long[] rows) {
    long[] codes = values.codes(rows);
    List<Integer> order = new ArrayList<>();
    for (int row = RowBits.next(rows, 0); row >= 0; row = RowBits.next(rows, row + 1)) {
      order.add(row);
    }
    Comparator<Integer> byCode = Comparator.comparingLong(row -> codes[row]);
    order.sort(descending ? byCode.reversed() : byCode);
    Deque<Entry> entries = new ArrayDeque<>(order.size());
    for (int row : order) {
      Entry last = entries.peekLast();
      boolean same = last != null && codes[last.row] == codes[row];
      entries.add(new Entry(same ? last.key : keyOf(values.key(codes[row])), row));
    }
    return entries;
  }

  /** A key without the zeros that may follow it. */
  private byte[] keyOf(byte[] padded) {
    byte[] stored = codec.storedOf(padded);
    return codec.key(stored, 0, stored.length).bytes();
  }

  /** Rows by what their cells have. */
  private Deque<Entry> keysOf(int block, long[] rows) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (int row = RowBits.next(rows, 0); row >= 0; row = RowBits.next(rows, row + 1)) {
      int number = row;
      matcher
          .own()
          .rows()
          .reading(
              () -> {
                rows().forEach(block, number, cell -> addKey(cell, number, entries));
                return null;
              });
      rows().shipped();
    }
    entries.sort(Entry.order(descending));
    Deque<Entry> distinct = new ArrayDeque<>(entries.size());
    for (Entry e : entries) {
      Entry last = distinct.peekLast();
      if (last == null || last.row != e.row || !Arrays.equals(last.key, e.key)) {
        distinct.add(e);
      }
    }
    return distinct;
  }

  private void addKey(Cell cell, int row, List<Entry> to) {
    if (cell.getTypeByte() != KeyValue.Type.Put.getCode() || !column.matches(cell)) {
      return;
    }
    ValueKey of = codec.key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (of != null && keys.overlaps(of.bytes(), of.bytes())) {
      to.add(new Entry(of.bytes(), row));
    }
  }

  @Override
  public byte[] keyArray() {
    return key;
  }

  @Override
  public int keyOffset() {
    return 0;
  }

  @Override
  public int keyLength() {
    return key.length;
  }
}
