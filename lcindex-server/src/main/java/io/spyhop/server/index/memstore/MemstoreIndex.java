package io.spyhop.server.index.memstore;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Condition;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.local.column.HashedRows;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.index.local.column.RowHashes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a memstore by value, as a query sees them: every write that has ended is in it, and
 * perhaps more than the memstore has. A row is found if some write has a value in range. Immutable
 * but for what others write meanwhile; thread-safe.
 */
public final class MemstoreIndex implements HashedRows {
  /** So many blocks of a log tell enough of it for an estimate. */
  private static final int ESTIMATED_BLOCKS = 16;

  /** And so many rows of each of these. */
  private static final int ESTIMATED_ROWS = 512;

  private final WriteLog.View[] logs;

  private MemstoreIndex(List<WriteLog.View> logs) {
    this.logs = logs.toArray(new WriteLog.View[0]);
  }

  /** Takes a look at logs; empty if one of them was dropped. */
  public static Optional<MemstoreIndex> of(List<WriteLog> logs) {
    List<WriteLog.View> views = new ArrayList<>();
    for (WriteLog log : logs) {
      Optional<WriteLog.View> view = log.view();
      if (view.isEmpty()) {
        return Optional.empty();
      }
      views.add(view.get());
    }
    return Optional.of(new MemstoreIndex(views));
  }

  /** Takes rows that are found; the same row may come several times. */
  @FunctionalInterface
  public interface RowConsumer {
    /**
     * @param b holds the row's key
     * @param hash of the key
     * @param might whether the whole predicate may be true of the row if no HFile has some of it
     */
    void row(byte[] b, int off, int len, int hash, boolean might) throws IOException;
  }

  /** Keys of a column. */
  private record Wanted(KeyRanges keys, ValueType type) {
    ValueCodes codes() {
      return ValueCodes.of(keys, type);
    }
  }

  /** Whether the values of a column are known. */
  public boolean has(BoundColumn column) {
    return Arrays.stream(logs).allMatch(log -> log.columns().contains(column));
  }

  @Override
  public boolean isEmpty() {
    return Arrays.stream(logs).allMatch(log -> log.hashes().isEmpty());
  }

  /** They are the logs'. */
  @Override
  public long heapSize() {
    return 0;
  }

  @Override
  public boolean contains(int hash) {
    for (WriteLog.View log : logs) {
      if (log.hashes().contains(hash)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a row may have been written. */
  public boolean mayContain(byte[] b, int off, int len) {
    return contains(RowHashes.of(b, off, len));
  }

  /** How many writes have values. */
  public long writes() {
    long all = 0;
    for (WriteLog.View log : logs) {
      for (int b = 0; b < log.blocks().size(); b++) {
        all += log.rows(b);
      }
    }
    return all;
  }

  /** How many writes have values of a column in these ranges, about. */
  public long estimate(BoundColumn column, KeyRanges keys) {
    ValueCodes wanted = ValueCodes.of(keys, column.type());
    double all = 0;
    for (WriteLog.View log : logs) {
      int step = Math.max(1, log.blocks().size() / ESTIMATED_BLOCKS);
      for (int b = log.blocks().size() - 1; b >= 0; b -= step) {
        int rows = Math.min(log.rows(b), ESTIMATED_ROWS);
        long found = RowBits.count(matching(log, b, rows, column, wanted));
        all += rows == 0 ? 0 : (double) step * found * log.rows(b) / rows;
      }
    }
    return (long) Math.ceil(all);
  }

  /** Of the first rows of a block. */
  private static long[] matching(
      WriteLog.View log, int b, int rows, BoundColumn column, ValueCodes wanted) {
    long[] found = RowBits.none(rows);
    int at = log.columns().indexOf(column);
    log.blocks().get(b).addMatching(at, wanted, rows, found);
    return found;
  }

  /**
   * The rows of which a condition may be true by what was written to them, and those of which what
   * was written says too little.
   *
   * @param of the condition's column
   */
  public HashedRows of(Condition condition, BoundColumn of) {
    if (!has(of)) {
      return this;
    }
    ValueCodes wanted = ValueCodes.of(condition.keys(), of.type());
    RowHashes rows = new RowHashes();
    for (WriteLog.View log : logs) {
      for (int b = 0; b < log.blocks().size(); b++) {
        LogBlock block = log.blocks().get(b);
        long[] found = matching(log, b, log.rows(b), of, wanted);
        for (int i = RowBits.next(found, 0); i >= 0; i = RowBits.next(found, i + 1)) {
          rows.add(RowHashes.of(block.keys(), block.start(i), block.end(i) - block.start(i)));
        }
      }
    }
    return new Written(rows.sketched());
  }

  /** Some rows, and all of which what was written says too little. */
  private final class Written implements HashedRows {
    private final RowHashes rows;

    Written(RowHashes rows) {
      this.rows = rows;
    }

    @Override
    public boolean isEmpty() {
      return rows.isEmpty() && Arrays.stream(logs).allMatch(log -> log.complex().isEmpty());
    }

    @Override
    public boolean contains(int hash) {
      if (rows.contains(hash)) {
        return true;
      }
      for (WriteLog.View log : logs) {
        if (log.complex().contains(hash)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long heapSize() {
      return rows.heapSize();
    }
  }

  /**
   * Finds rows.
   *
   * @param driving a column that it {@link #has}
   * @param keys of that column
   * @param predicate whose conditions on other columns are looked at, too
   */
  public void find(BoundColumn driving, KeyRanges keys, BoundPredicate predicate, RowConsumer to)
      throws IOException {
    Map<Wanted, ValueCodes> codes = new HashMap<>();
    Wanted first = new Wanted(keys, driving.type());
    for (int l = 0; l < logs.length; l++) {
      WriteLog.View log = logs[l];
      for (int b = 0; b < log.blocks().size(); b++) {
        ValueCodes wanted = codes.computeIfAbsent(first, Wanted::codes);
        long[] found = matching(log, b, log.rows(b), driving, wanted);
        if (!RowBits.isEmpty(found)) {
          give(l, b, found, mightMatch(log, b, found, predicate, codes), to);
        }
      }
    }
  }

  /** The rows that may match by the codes of one write, if that is all that there is of them. */
  private static long[] mightMatch(
      WriteLog.View log,
      int b,
      long[] found,
      BoundPredicate predicate,
      Map<Wanted, ValueCodes> codes)
      throws IOException {
    LogBlock block = log.blocks().get(b);
    return predicate.rowsOf(
        found,
        (condition, among, out) -> {
          BoundColumn of = predicate.columns().get(condition.column());
          int at = log.columns().indexOf(of);
          if (at < 0) {
            RowBits.or(out, among);
            return;
          }
          Wanted values = new Wanted(condition.keys(), of.type());
          block.addMatching(at, codes.computeIfAbsent(values, Wanted::codes), log.rows(b), out);
          if (condition.whenAbsent()) {
            block.addAbsent(at, log.rows(b), out);
          }
        });
  }

  private void give(int log, int b, long[] found, long[] might, RowConsumer to) throws IOException {
    LogBlock block = logs[log].blocks().get(b);
    byte[] keys = block.keys();
    for (int i = RowBits.next(found, 0); i >= 0; i = RowBits.next(found, i + 1)) {
      int off = block.start(i);
      int len = block.end(i) - off;
      int hash = RowHashes.of(keys, off, len);
      to.row(keys, off, len, hash, RowBits.get(might, i) || isComplex(log, hash));
    }
  }

  /** Whether there may be more of a row than one write. */
  private boolean isComplex(int log, int hash) {
    boolean complex = logs[log].complex().contains(hash);
    for (int l = 0; l < logs.length && !complex; l++) {
      complex = l != log && logs[l].hashes().contains(hash);
    }
    return complex;
  }
}
