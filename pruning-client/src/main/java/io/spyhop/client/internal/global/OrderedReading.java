package io.spyhop.client.internal.global;

import io.spyhop.client.internal.global.GlobalSearch.Found;
import io.spyhop.client.internal.global.IndexAttempts.Try;
import io.spyhop.client.internal.global.OrderedSearch.Request;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ComposedKey;
import io.spyhop.core.value.ValueCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The progress of one search in the order of values: entries of one index, and the rows behind
 * them. Not thread-safe.
 */
final class OrderedReading {
  private static final int MOST = 1_000;

  /** So few rows are read without asking what another way would cost. */
  private static final int FEW = 32;

  private static final int OVERHEAD = 200;

  private final IndexCalls calls;
  private final IndexAttempts attempts;
  private final IndexDefinition index;
  private final Request request;
  private final OrderedSearch.Rows rows;
  private final ValueCodec codec;

  /** What is left to read, first of all the values that have no key and may stand anywhere. */
  private final Deque<Walk> walks = new ArrayDeque<>();

  private final Set<byte[]> seen = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private final List<Row> kept = new ArrayList<>();
  private long entries;
  private long rowsRead;
  private long bytes;

  /** A row that matches, and where it stands. */
  private record Row(ValuePosition at, Result result) {}

  OrderedReading(
      IndexCalls calls,
      IndexAttempts attempts,
      IndexDefinition index,
      Request request,
      OrderedSearch.Rows rows) {
    this.calls = calls;
    this.attempts = attempts;
    this.index = index;
    this.request = request;
    this.rows = rows;
    this.codec = index.type().codec();
    KeyRanges keys = query().predicate().keyRanges(query().predicate().columnOf(index.column()));
    if (codec.hasUnkeyable()) {
      walks.add(forwards(List.of(EntryRows.unkeyable())));
    }
    List<Span> keyable = EntryRows.keyable(keys);
    walks.add(
        request.order().descending() ? new BackwardWalk(calls, index, keyable) : forwards(keyable));
  }

  private Walk forwards(List<Span> spans) {
    return new EntryWalk(calls, index, new EntryWalk.Wanted(spans, Long.MAX_VALUE, false));
  }

  private EntryQuery query() {
    return request.query();
  }

  /**
   * Reads until there are enough rows, or no more.
   *
   * @param limit of the time that it may take
   * @return why that is not worth it, if it is not
   * @throws IOException only if the thread was interrupted
   */
  Optional<String> read(EntryCosts costs, Duration limit) throws IOException {
    long begin = System.nanoTime();
    Try<Boolean> built =
        attempts.attempt(index, limit, () -> Try.of(calls.built(index).isComplete()));
    if (!built.value().orElse(false)) {
      return Optional.of(built.value().isPresent() ? "is BUILDING" : built.why());
    }
    int page = (int) Math.min(MOST, query().limit() + query().limit() / 4 + 8);
    while (!isEnough()) {
      Duration left = limit.minusNanos(System.nanoTime() - begin);
      Optional<String> tooMuch =
          left.isNegative() ? Optional.of("takes too long") : dear(costs, page);
      if (tooMuch.isPresent()) {
        return tooMuch;
      }
      Optional<String> failure = step(left, page);
      if (failure.isPresent()) {
        return failure;
      }
      page = Math.min(MOST, 2 * page);
    }
    return Optional.empty();
  }

  /**
   * Rows whose values have no key stand wherever they stand, and do not say that there are enough.
   */
  private boolean isEnough() {
    while (walks.size() > 1 && walks.element().position().isEmpty()) {
      walks.remove();
    }
    return isWhole()
        || walks.size() == 1
            && kept.stream().filter(r -> isKeyed(r.at) && isSettled(r.at)).count()
                >= query().limit();
  }

  private static boolean isKeyed(ValuePosition at) {
    return !at.value().key().isUnkeyable();
  }

  private boolean isWhole() {
    return walks.size() == 1 && walks.element().position().isEmpty();
  }

  private Optional<String> dear(EntryCosts costs, int more) throws IOException {
    if (entries > query().maxEntries()) {
      return Optional.of("has more than " + query().maxEntries() + " entries before enough rows");
    }
    if (isFull()) {
      return Optional.of(tooWide());
    }
    if (!query().isFree() || entries + more <= FEW) {
      return Optional.empty();
    }
    double cost = (entries + more) * costs.entry() + (rowsRead + more) * costs.get();
    double instead =
        request.plain().cells(query().rows().hull()).orElse(Double.MAX_VALUE) * costs.cell();
    return cost > instead
        ? Optional.of(
            "has not enough rows in its first " + entries + " entries, another way is cheaper")
        : Optional.empty();
  }

  /** Reads a page; why not, if that failed. */
  private Optional<String> step(Duration left, int page) throws IOException {
    Walk walk = walks.element();
    Try<List<Entry>> read = attempts.attempt(index, left, () -> Try.of(walk.next(page)));
    if (read.value().isEmpty()) {
      return Optional.of(read.why());
    }
    entries += read.value().get().size();
    try {
      return readRows(read.value().get()) ? Optional.empty() : Optional.of(tooWide());
    } catch (IOException e) {
      Bounded.requireNotInterrupted(e);
      return Optional.of("has rows that cannot be read: " + Refusals.text(e));
    }
  }

  /** Whether there was room for all of a page's rows; if not, some were not read. */
  private boolean readRows(List<Entry> page) throws IOException {
    NavigableMap<byte[], List<Entry>> fresh = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Entry e : page) {
      if (query().rows().contains(e.row()) && !seen.contains(e.row())) {
        fresh.computeIfAbsent(e.row(), r -> new ArrayList<>(1)).add(e);
      }
    }
    if (fresh.isEmpty()) {
      return true;
    }
    for (byte[] row : fresh.keySet()) {
      seen.add(row);
      bytes += OVERHEAD + row.length;
    }
    Candidates candidates = rows.of(Found.of(index, page.size(), fresh));
    try {
      Result row = candidates.next();
      while (row != null && !isFull()) {
        keep(row);
        row = candidates.next();
      }
      return row == null;
    } finally {
      rowsRead += candidates.rowsRead();
      candidates.close();
    }
  }

  private String tooWide() {
    return "has rows of more than " + request.bytes() + " bytes before enough match";
  }

  /** Whether what is held takes all the memory; then another way is taken. */
  private boolean isFull() {
    return bytes > request.bytes();
  }

  private void keep(Result row) {
    Optional<ValuePosition> at = request.order().position(Arrays.asList(row.rawCells()));
    if (at.isPresent() && request.shown().test(row)) {
      kept.add(new Row(at.get(), row));
      bytes += OVERHEAD + Result.getTotalSizeOfCells(row);
    }
  }

  /** The rows among which the first ones are. */
  List<Result> settled() {
    boolean whole = isWhole();
    return kept.stream()
        .filter(r -> whole || !isKeyed(r.at) || isSettled(r.at))
        .map(Row::result)
        .toList();
  }

  /** Whether no row that was not read stands before this one. */
  private boolean isSettled(ValuePosition at) {
    byte[] key = at.value().key().bytes();
    byte[] position = walks.element().position().orElseThrow();
    if (request.order().descending()) {
      return position.length > 0 && Bytes.compareTo(key, position) >= 0;
    }
    return codec.mayBeShared(key) || !request.byStoredRow()
        ? Bytes.compareTo(position, key) > 0 && !Bytes.startsWith(position, key)
        : Bytes.compareTo(ComposedKey.compose(key, at.row()), position) < 0;
  }

  long entries() {
    return entries;
  }

  long rowsRead() {
    return rowsRead;
  }
}
