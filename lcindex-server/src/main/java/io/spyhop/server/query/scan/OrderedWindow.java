package io.spyhop.server.query.scan;

import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.CorruptIndexFileException;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.candidate.EntryMerge;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.candidate.RowReader;
import io.spyhop.server.query.candidate.StoredVersions;
import io.spyhop.server.query.report.QueryCounts;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next few rows in the order of values. Entries are taken from the merged sources; those rows
 * that must be read again are read together, in the order of their keys, at the query's read point
 * and through its whole filter. A row is handed out where one of its entries has the key of the
 * value that it then shows, and nowhere else: so each comes once, however many versions there are.
 * Those with cells that expire are read once ({@link ExpiringRows}).
 *
 * <p>Where values that differ may share a key, a window holds all rows of its last key, and orders
 * them by the values themselves. Windows begin small and grow, so that who wants a few rows has
 * little read; one whose rows do not fit into memory is cut. Not thread-safe.
 */
final class OrderedWindow {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedWindow.class);
  private static final int FIRST = 16;
  private static final int MOST = 512;
  private static final int SLICE = 1024;
  private static final int OVERHEAD = 128;

  private final IndexedQuery query;
  private final OrderRequest request;
  private final ValueCodec codec;
  private final EntryMerge merge;
  private final QueryCounts counts;
  private final QueryMemory memory;
  private final long readPoint;
  private final long otherBytes;
  private final ExpiringRows expiring;
  private List<EntryMerge.Entry> entries = new ArrayList<>();
  private long bytes;
  private int size;
  private int most = MOST;

  /** A row with its cells, and where it stands. */
  private record Row(EntryMerge.Entry entry, List<Cell> cells, ValuePosition position) {}

  /**
   * @param limit how many rows are wanted at most
   * @param otherBytes what the query holds besides
   */
  OrderedWindow(
      IndexedQuery query,
      OrderRequest request,
      EntryMerge merge,
      QueryCounts counts,
      QueryMemory memory,
      long readPoint,
      long limit,
      long otherBytes) {
    this.query = query;
    this.request = request;
    this.codec = request.order().column().type().codec();
    this.merge = merge;
    this.counts = counts;
    this.memory = memory;
    this.readPoint = readPoint;
    this.otherBytes = otherBytes;
    this.expiring = new ExpiringRows(memory.budget());
    this.size = (int) Math.max(1, Math.min(FIRST, limit));
  }

  /**
   * Goes on taking entries until there are enough or the time is up.
   *
   * @return whether there are enough, or all
   * @throws QueryMemory.ExhaustedException if those of one key do not fit into memory
   */
  boolean collect(BooleanSupplier timeIsUp) throws IOException {
    for (int steps = 1; !merge.isOver() && !isFull(); steps++) {
      Optional<EntryMerge.Entry> entry = merge.take();
      if (entry.isPresent() && !isPassed(entry.get())) {
        add(entry.get());
      }
      if (steps % SLICE == 0 && timeIsUp.getAsBoolean()) {
        return false;
      }
    }
    return true;
  }

  /** Whether all rows have been taken. */
  boolean isOver() throws IOException {
    return entries.isEmpty() && merge.isOver();
  }

  private boolean isFull() throws IOException {
    if (entries.size() < size) {
      return false;
    }
    byte[] last = entries.get(entries.size() - 1).key();
    return !codec.mayBeShared(last) || !merge.goesOnWith(last);
  }

  /** Whether a row of the same value as the last one that the client has comes before it. */
  private boolean isPassed(EntryMerge.Entry entry) {
    return request
        .after()
        .filter(a -> Arrays.equals(a.value().key().bytes(), entry.key()))
        .filter(a -> !codec.mayBeShared(entry.key()))
        .filter(a -> Bytes.compareTo(entry.row(), a.row()) <= 0)
        .isPresent();
  }

  /** Adds an entry. A window for which there is no more room ends with it if it can. */
  private void add(EntryMerge.Entry entry) throws QueryMemory.ExhaustedException {
    entries.add(entry);
    if (codec.mayBeShared(entry.key())) {
      hold(bytesOf(entry));
      return;
    }
    bytes += bytesOf(entry);
    if (!memory.tryHold(held())) {
      size = entries.size();
    }
  }

  private static long bytesOf(EntryMerge.Entry entry) {
    long stored = entry.stored() == null ? 0 : entry.stored().heapSize();
    return OVERHEAD + entry.key().length + entry.row().length + stored;
  }

  private void hold(long more) throws QueryMemory.ExhaustedException {
    bytes += more;
    memory.hold(held());
  }

  private long held() {
    return otherBytes + bytes + expiring.heapSize();
  }

  /** The rows of the window in their order, and begins the next one. */
  Deque<List<Cell>> takeRows() throws IOException {
    List<EntryMerge.Entry> taken = first();
    List<List<Cell>> cells = null;
    while (cells == null) {
      try {
        cells = cells(taken, taken.size() > 1);
      } catch (QueryMemory.ExhaustedException e) {
        taken = fewer(taken, e);
      }
    }
    counts.candidates += taken.size();
    size = Math.min(most, 2 * size);
    bytes = bytesOf(entries);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      row(taken.get(i), cells.get(i)).ifPresent(rows::add);
    }
    orderWithinKeys(rows);
    Deque<List<Cell>> ready = new ArrayDeque<>();
    for (Row r : rows) {
      expiring.handedOut(r.entry.row());
      ready.add(r.cells);
    }
    return ready;
  }

  /** As many as there should be, and those that cannot be parted from them. */
  private List<EntryMerge.Entry> first() {
    int end = Math.min(size, entries.size());
    while (end > 0
        && end < entries.size()
        && areInseparable(entries.get(end - 1).key(), entries.get(end).key())) {
      end++;
    }
    List<EntryMerge.Entry> taken = new ArrayList<>(entries.subList(0, end));
    entries = new ArrayList<>(entries.subList(end, entries.size()));
    return taken;
  }

  /** The first half of a window whose rows do not fit; the others are the next ones'. */
  private List<EntryMerge.Entry> fewer(
      List<EntryMerge.Entry> of, QueryMemory.ExhaustedException why)
      throws QueryMemory.ExhaustedException {
    int half = of.size() / 2;
    while (half > 0 && areInseparable(of.get(half - 1).key(), of.get(half).key())) {
      half--;
    }
    if (half == 0) {
      throw why;
    }
    entries.addAll(0, of.subList(half, of.size()));
    List<EntryMerge.Entry> first = new ArrayList<>(of.subList(0, half));
    most = half;
    size = half;
    bytes = bytesOf(first) + bytesOf(entries);
    memory.tryHold(held());
    return first;
  }

  private boolean areInseparable(byte[] key, byte[] next) {
    return Arrays.equals(key, next) && codec.mayBeShared(key);
  }

  private static long bytesOf(List<EntryMerge.Entry> of) {
    return of.stream().mapToLong(OrderedWindow::bytesOf).sum();
  }

  /**
   * Of each entry its row's cells; none if the row is not in the answer.
   *
   * @param bounded whether there must be room for them; one row is held whatever it takes, as any
   *     scan holds one
   */
  private List<List<Cell>> cells(List<EntryMerge.Entry> of, boolean bounded) throws IOException {
    List<List<Cell>> all = new ArrayList<>();
    List<Integer> toRead = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      List<Cell> cells = new ArrayList<>();
      all.add(cells);
      if (!unpack(of.get(i), cells)) {
        toRead.add(i);
      }
    }
    toRead.sort((a, b) -> Bytes.compareTo(of.get(a).row(), of.get(b).row()));
    read(of, toRead, all, bounded);
    return all;
  }

  /** A record that turns out to be none is as good as no record. */
  private static boolean unpack(EntryMerge.Entry entry, List<Cell> out) throws IOException {
    if (entry.stored() == null) {
      return false;
    }
    try {
      entry.stored().unpack(out);
      return true;
    } catch (CorruptIndexFileException e) {
      LOG.warn("A row is read again", e);
      out.clear();
      return false;
    }
  }

  /** One row may stand at several keys, of which one at most is that of its value. */
  private void read(
      List<EntryMerge.Entry> of, List<Integer> ascending, List<List<Cell>> out, boolean bounded)
      throws IOException {
    try (RowReader reader = new RowReader(query, readPoint)) {
      int before = -1;
      for (int i : ascending) {
        byte[] row = of.get(i).row();
        Optional<List<Cell>> known = expiring.get(row);
        if (known.isPresent()) {
          out.get(i).addAll(known.get());
        } else if (before >= 0 && Bytes.equals(row, of.get(before).row())) {
          out.get(i).addAll(out.get(before));
        } else {
          counts.rereads++;
          reader.read(row, out.get(i));
          if (reader.mayExpire() && !isAlone(of.get(i))) {
            expiring.put(row, List.copyOf(out.get(i)));
            hold(0);
          } else if (bounded) {
            hold(out.get(i).stream().mapToLong(Cell::heapSize).sum());
          }
        }
        before = i;
      }
    }
  }

  /** Whether a row is met but once; the first ones are kept without asking. */
  private boolean isAlone(EntryMerge.Entry entry) throws IOException {
    return expiring.areMany()
        && StoredVersions.haveKey(
            query.region(), request.order().column(), entry.row(), entry.key());
  }

  /** Empty if the row is not in the answer, stands elsewhere or was handed out before. */
  private Optional<Row> row(EntryMerge.Entry entry, List<Cell> cells) {
    return request
        .order()
        .position(cells)
        .filter(p -> stands(p, entry))
        .map(p -> new Row(entry, cells, p));
  }

  private boolean stands(ValuePosition at, EntryMerge.Entry entry) {
    ValueKey key = at.value().key();
    return Arrays.equals(key.bytes(), entry.key())
        && request.after().filter(a -> request.order().compare(at, a) <= 0).isEmpty();
  }

  private void orderWithinKeys(List<Row> rows) {
    int from = 0;
    for (int i = 1; i <= rows.size(); i++) {
      byte[] key = rows.get(from).entry.key();
      if (i == rows.size() || !Arrays.equals(rows.get(i).entry.key(), key)) {
        if (codec.mayBeShared(key)) {
          rows.subList(from, i).sort((a, b) -> request.order().compare(a.position, b.position));
        }
        from = i;
      }
    }
  }
}
