package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.exec.SideBySide;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The progress of one search in one index. Spans of several regions of the index table are read
 * side by side, those of one region with one call. Used by one thread after the other.
 *
 * <p>All of it must be read within the time that entries outlive what made them obsolete
 * (correctness rule 10), so it knows when it began.
 */
final class EntryReading {
  private static final int PAGE = 1_000;

  /** The bytes of a page at most, about; the servers bound it. */
  private static final long PAGE_BYTES = 4 << 20;

  /** Of a row's place in the map, and its list. */
  private static final int OVERHEAD = 120;

  private final IndexCalls calls;
  private final ScanPool pool;
  private final EntryQuery query;
  private final IndexDefinition index;
  private final long start = System.nanoTime();
  private final NavigableMap<byte[], List<Entry>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final long mostBytes;

  /** What no walk has yet. */
  private final Deque<Span> spans;

  /** One for each region that is being read. */
  private final List<EntryWalk> walks = new ArrayList<>();

  private RowRanges rest = new RowRanges(List.of());
  private boolean isBegun;
  private long read;
  private long bytes;

  /**
   * @param pool runs all calls but one at a time
   * @param mostBytes what the entries may take in memory, about
   */
  EntryReading(
      IndexCalls calls, ScanPool pool, EntryQuery query, IndexDefinition index, long mostBytes) {
    this.calls = calls;
    this.pool = pool;
    this.query = query;
    this.index = index;
    this.mostBytes = mostBytes;
    this.spans = new ArrayDeque<>(query.spans(index));
  }

  /**
   * Reads on until there is no more, or more than so many were read, or there is no room for more.
   *
   * @return itself
   */
  EntryReading upTo(long most) throws IOException {
    while (!isWhole() && read <= most && !isFull()) {
      Bounded.requireTime();
      begin();
      int page = (int) Math.min(PAGE, share(most + 1 - read));
      List<List<Entry>> pages = SideBySide.all(pool, walks, walk -> walk.next(page));
      rest = isBegun ? rest : query.rows().within(lacking());
      isBegun = true;
      pages.forEach(this::take);
      walks.removeIf(walk -> walk.position().isEmpty());
    }
    return this;
  }

  /** Most of what is in the spans may be in one region. */
  private long share(long wanted) {
    return walks.size() == 1 ? wanted : 1 + 2 * wanted / walks.size();
  }

  /** Has regions read that are not yet, as many as there is room and threads for. */
  private void begin() throws IOException {
    long most = Math.max(1, Math.min(pool.threads(), (mostBytes - bytes) / PAGE_BYTES));
    while (!spans.isEmpty() && walks.size() < most) {
      walks.add(
          new EntryWalk(calls, index, new EntryWalk.Wanted(ofOneRegion(), Long.MAX_VALUE, false)));
    }
  }

  /** Takes away the spans of the region that has the first one, as it is known. */
  private List<Span> ofOneRegion() throws IOException {
    byte[] end = calls.regionEnd(index, spans.element().from());
    List<Span> ofRegion = new ArrayList<>();
    while (!spans.isEmpty() && isBefore(spans.element().from(), end)) {
      Span next = spans.remove();
      if (end.length == 0 || (next.to().length > 0 && Bytes.compareTo(next.to(), end) <= 0)) {
        ofRegion.add(next);
      } else {
        ofRegion.add(new Span(next.from(), end));
        spans.push(new Span(end, next.to()));
      }
    }
    return ofRegion;
  }

  private static boolean isBefore(byte[] row, byte[] end) {
    return end.length == 0 || Bytes.compareTo(row, end) < 0;
  }

  /**
   * Rows that lacked some of their entries before any of the first pages was read, which are read
   * side by side. All others had theirs before any later page is.
   */
  private List<RowRange> lacking() {
    List<BuiltRanges.Range> all = walks.stream().flatMap(w -> w.missing().stream()).toList();
    return BuiltRanges.merged(all).ranges().stream()
        .map(r -> new RowRange(r.start(), r.end()))
        .toList();
  }

  private void take(List<Entry> page) {
    read += page.size();
    for (Entry e : page) {
      if (query.rows().contains(e.row()) && !rest.contains(e.row())) {
        rows.computeIfAbsent(e.row(), r -> new ArrayList<>(1)).add(e);
        bytes += OVERHEAD + e.bytes();
      }
    }
  }

  IndexDefinition index() {
    return index;
  }

  /** Whether there is no more to read. */
  boolean isWhole() {
    return spans.isEmpty() && walks.isEmpty();
  }

  /** Whether no more is read although there may be, as what there is takes all the memory. */
  boolean isFull() {
    return !isWhole() && bytes > mostBytes;
  }

  /** The query's rows that the index may lack, as they are being built or moved. */
  RowRanges rest() {
    return rest;
  }

  /** Whether that is all of them. */
  boolean knowsNothing() {
    return rest.equals(query.rows());
  }

  /** How many entries were read. */
  long read() {
    return read;
  }

  /** The rows in the query's range that they lead to, but for {@link #rest}. */
  NavigableMap<byte[], List<Entry>> rows() {
    return rows;
  }

  /** Those of other rows that the index leads to, when it is whole, or that it may lack. */
  NavigableMap<byte[], List<Entry>> among(NavigableMap<byte[], List<Entry>> others) {
    NavigableMap<byte[], List<Entry>> both = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    others.forEach(
        (row, entries) -> {
          if (rows.containsKey(row) || rest.contains(row)) {
            both.put(row, entries);
          }
        });
    return both;
  }

  /**
   * Whether no entry that is not read yet leads to a row: entries of one value come in the order of
   * their rows, and what is left is some of one value.
   */
  boolean isSettled(byte[] row) {
    if (isWhole()) {
      return true;
    }
    if (walks.size() + spans.size() != 1) {
      return false;
    }
    List<Span> left = walks.isEmpty() ? List.copyOf(spans) : List.copyOf(walks.get(0).left());
    byte[] next = left.get(0).from();
    byte[] value = left.size() == 1 ? query.valueOf(index, left.get(0)) : null;
    return value != null
        && Bytes.compareTo(row, Arrays.copyOfRange(next, value.length, next.length)) < 0;
  }

  /** What is left of the time for it; zero if nothing is. */
  Duration left(Duration limit) {
    Duration left = limit.minusNanos(System.nanoTime() - start);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
