package io.spyhop.server.index.local;

import io.spyhop.server.index.local.column.BlockHashes;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.index.local.column.RowHashes;
import io.spyhop.server.index.local.column.RowPairs;
import io.spyhop.server.view.store.FileRun;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

/**
 * Finds the rows that two HFiles both have: by the hashes in their rows' files those that may be,
 * and by their keys in the HFiles those that are. It goes through one file by a few blocks at a
 * time, and reads of the other what lies between the same rows. Use once; not thread-safe.
 */
public final class PairFinder implements Closeable {
  /** So many blocks' hashes are gathered at a time: half a megabyte. */
  private static final int STEP = 16;

  private final Side one;
  private final Side other;
  private final BooleanSupplier cancelled;
  private final RowPairs.Builder pairs = new RowPairs.Builder();

  private PairFinder(HFileRows one, HFileRows other, BooleanSupplier cancelled) throws IOException {
    this.one = new Side(one);
    this.other = new Side(other);
    this.cancelled = cancelled;
  }

  /**
   * The rows that both have.
   *
   * @param cancelled asked now and then; ends with a {@link CancellationException} if so
   */
  public static RowPairs find(HFileRows one, HFileRows other, BooleanSupplier cancelled)
      throws IOException {
    try (PairFinder finder = new PairFinder(one, other, cancelled)) {
      return finder.find();
    }
  }

  private RowPairs find() throws IOException {
    for (int from = 0; from < one.blocks(); from += STEP) {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException("the region closes");
      }
      int to = Math.min(from + STEP, one.blocks());
      int otherFrom = other.blockOf(one.firstRow(from));
      int otherTo = to == one.blocks() ? other.blocks() : other.blockOf(one.firstRow(to)) + 1;
      RowHashes hashes = one.hashes(from, to);
      RowHashes both = new RowHashes();
      other.mark(otherFrom, otherTo, hashes, both);
      if (!both.isEmpty()) {
        one.mark(from, to, both, both);
        merge();
      }
    }
    return pairs.build();
  }

  /** Walks the rows that are marked in both. */
  private void merge() throws IOException {
    boolean more = one.next() && other.next();
    while (more) {
      int c = CellComparator.getInstance().compareRows(one.cell(), other.cell());
      if (c == 0) {
        pairs.add(one.block, one.row, other.block, other.row);
      }
      more = (c > 0 || one.next()) && (c < 0 || other.next());
    }
  }

  @Override
  public void close() {
    one.rows.close();
    other.rows.close();
  }

  /** One of the files. */
  private static final class Side {
    private final HFileRows source;
    private final ColumnFile file;
    private final ColumnFile searched;
    private final PlacedRows rows;

    /** The rows that may be shared, of the blocks from the first one on. */
    private long[][] marked;

    private int first;
    private int block;
    private int row;

    Side(HFileRows source) throws IOException {
      this.source = source;
      this.file = source.open();
      this.searched = source.open();
      this.rows = source.placed();
    }

    int blocks() {
      return file.blocks();
    }

    byte[] firstRow(int number) throws IOException {
      return source.reading(() -> file.firstRow(number));
    }

    int blockOf(byte[] key) throws IOException {
      return source.reading(() -> searched.blockOf(key));
    }

    RowHashes hashes(int from, int to) throws IOException {
      RowHashes all = new RowHashes((to - from) * ColumnBlock.MAX_ROWS);
      for (int number = from; number < to; number++) {
        BlockHashes hashes = source.hashes(number);
        for (int i = 0; i < hashes.rows(); i++) {
          all.add(hashes.of(i));
        }
      }
      return all;
    }

    /**
     * Marks the rows whose hashes are among some.
     *
     * @param found takes these hashes
     */
    void mark(int from, int to, RowHashes some, RowHashes found) throws IOException {
      marked = new long[to - from][];
      first = from;
      block = from - 1;
      row = ColumnBlock.MAX_ROWS;
      for (int number = from; number < to; number++) {
        BlockHashes hashes = source.hashes(number);
        for (int i = 0; i < hashes.rows(); i++) {
          if (some.contains(hashes.of(i))) {
            long[] known = marked[number - first];
            marked[number - first] = known == null ? RowBits.none(ColumnBlock.MAX_ROWS) : known;
            RowBits.set(marked[number - first], i);
            found.add(hashes.of(i));
          }
        }
      }
    }

    /** Goes to the next marked row. */
    boolean next() {
      int next = block < first || marked[block - first] == null ? -1 : nextOf(row + 1);
      while (next < 0) {
        if (++block - first >= marked.length) {
          return false;
        }
        next = marked[block - first] == null ? -1 : nextOf(0);
      }
      row = next;
      return true;
    }

    private int nextOf(int from) {
      return RowBits.next(marked[block - first], from);
    }

    /** The row's first cell. */
    Cell cell() throws IOException {
      return source.reading(
          () -> {
            rows.shipped();
            FileRun run = rows.at(block, row);
            return run.cell();
          });
    }
  }
}
