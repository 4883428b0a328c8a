package io.spyhop.client.internal.exec;

import io.spyhop.core.order.LoserTree;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of several runs, no two of which have a row in common, in one order. Several results of
 * one row stay together in their order. Not thread-safe.
 *
 * <p>The next row of each run is held as long as there is room. Of a wide one for which there is
 * none only the key is: its run is closed, and opened again when it is the row's turn, as HBase's
 * client does with a scan whose region has moved.
 */
public final class MergedRows implements RowStream {
  /** A stream that was open when it was given. */
  private static final Run NEVER_AGAIN =
      from -> {
        throw new IllegalStateException("the stream has ended");
      };

  /** Row-key order, of results that have cells. */
  public static final Comparator<Result> BY_ROW = MergedRows::compareRows;

  private final List<Run> runs;
  private final RowStream[] streams;
  private final LoserTree<Head> tree;
  private final Room room;
  private long held;
  private boolean begun;
  private boolean handedOut;
  private boolean closed;

  /** One of the runs that are merged. */
  @FunctionalInterface
  public interface Run {
    /**
     * Opens it; who merges closes it.
     *
     * @param from the key of the first row that is wanted, or null for all
     */
    RowStream open(byte[] from) throws IOException;
  }

  /**
   * Bounds what is held of rows that are not first yet.
   *
   * @param bytes of all together
   * @param narrow rows of no more bytes are held all the same
   */
  public record Room(long bytes, long narrow) {
    /** Whatever rows take. */
    public static final Room ALL = new Room(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * The next row of a run.
   *
   * @param row null where there was no room for it
   * @param key has the row's key
   */
  private record Head(Result row, Cell key, long bytes) {}

  /**
   * Merges runs.
   *
   * @param descending whether each of them, and this one, has the greatest row first
   */
  public MergedRows(List<? extends Run> runs, boolean descending, Room room) {
    this.runs = List.copyOf(runs);
    this.streams = new RowStream[runs.size()];
    this.tree = new LoserTree<>(runs.size(), descending);
    this.room = room;
  }

  /** Merges streams that are open, which this one closes, whatever their rows take. */
  public static MergedRows of(List<RowStream> streams, boolean descending) {
    MergedRows merged =
        new MergedRows(Collections.nCopies(streams.size(), NEVER_AGAIN), descending, Room.ALL);
    for (int i = 0; i < streams.size(); i++) {
      merged.streams[i] = streams.get(i);
    }
    return merged;
  }

  private static int compareRows(Result one, Result other) {
    Cell a = one.rawCells()[0];
    Cell b = other.rawCells()[0];
    return Bytes.compareTo(
        a.getRowArray(),
        a.getRowOffset(),
        a.getRowLength(),
        b.getRowArray(),
        b.getRowOffset(),
        b.getRowLength());
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (!begun) {
      begin();
    } else if (handedOut) {
      handedOut = false;
      advance();
    }
    while (tree.first() >= 0) {
      Head head = tree.head();
      held -= head.bytes();
      if (head.row() != null) {
        handedOut = true;
        return head.row();
      }
      // Its run is read again: it goes on with this row, or with one behind it.
      place(read(tree.first(), CellUtil.cloneRow(head.key()), head.key()));
    }
    return null;
  }

  private void begin() throws IOException {
    for (int i = 0; i < streams.length; i++) {
      streams[i] = streams[i] == null ? runs.get(i).open(null) : streams[i];
    }
    for (int i = 0; i < streams.length; i++) {
      Head first = read(i, null, null);
      if (first != null) {
        Cell key = first.key();
        tree.set(i, first, key.getRowArray(), key.getRowOffset(), key.getRowLength());
      }
    }
    tree.begin();
    begun = true;
  }

  private void advance() throws IOException {
    place(read(tree.first(), null, tree.head().key()));
  }

  private void place(Head next) {
    if (next == null) {
      tree.end();
    } else {
      Cell key = next.key();
      tree.replace(next, key.getRowArray(), key.getRowOffset(), key.getRowLength());
    }
  }

  /**
   * The next row of a run.
   *
   * @param from where to open it if it is closed
   * @param before the key of the row that was first; more of the same row is held, as it is next
   */
  private Head read(int run, byte[] from, Cell before) throws IOException {
    if (streams[run] == null) {
      streams[run] = runs.get(run).open(from);
    }
    Result row = streams[run].next();
    if (row == null) {
      closeRun(run);
      return null;
    }
    Cell key = row.rawCells()[0];
    long bytes = Result.getTotalSizeOfCells(row);
    boolean next = before != null && CellUtil.matchingRows(before, key);
    if (next || bytes <= room.narrow() || bytes <= room.bytes() - held) {
      held += bytes;
      return new Head(row, key, bytes);
    }
    closeRun(run);
    return new Head(null, KeyValueUtil.createFirstOnRow(CellUtil.cloneRow(key)), 0);
  }

  private void closeRun(int run) {
    RowStream open = streams[run];
    streams[run] = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (int i = 0; i < streams.length; i++) {
      closeRun(i);
    }
  }
}
