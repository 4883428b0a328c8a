package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.RowJudge;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The cells that one source holds of one row. As an index record it can stand for the row if it has
 * one put of each column, none with tags. The cells are the source's own and valid as long as it
 * does not move on. Not thread-safe.
 */
public final class WholeRow implements RowRecord {
  /** A row with more cells is read again: what is gathered holds memory. */
  private static final int MAX_CELLS = 1024;

  /** The same of one with more bytes. */
  private static final long MAX_BYTES = 1 << 20;

  private final BoundPredicate predicate;
  private final NavigableSet<byte[]> qualifiers;
  private final List<Cell> cells = new ArrayList<>();
  private Cell first;
  private boolean complex;
  private long oldest;
  private long bytes;

  /**
   * @param predicate whose columns the row is judged by
   * @param qualifiers what {@link #keep} keeps; null or empty for all
   */
  public WholeRow(BoundPredicate predicate, NavigableSet<byte[]> qualifiers) {
    this.predicate = predicate;
    this.qualifiers = qualifiers == null || qualifiers.isEmpty() ? null : qualifiers;
  }

  /** Whether there is no cell yet. */
  public boolean isEmpty() {
    return first == null;
  }

  /** Whether a cell is of this row, which has one already. */
  public boolean has(Cell cell) {
    return CellUtil.matchingRows(first, cell);
  }

  /** Adds the next cell of the row, in HBase's order. */
  public void add(Cell cell) {
    if (first == null) {
      first = cell;
      oldest = Long.MAX_VALUE;
      bytes = 0;
    }
    if (complex) {
      return;
    }
    oldest = Math.min(oldest, cell.getTimestamp());
    bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    complex =
        cell.getTypeByte() != KeyValue.Type.Put.getCode()
            || cell.getTagsLength() > 0
            || cells.size() == MAX_CELLS
            || bytes > MAX_BYTES
            || !cells.isEmpty() && CellUtil.matchingQualifier(cells.get(cells.size() - 1), cell);
    if (complex) {
      cells.clear();
    } else {
      cells.add(cell);
    }
  }

  /**
   * Adds what another source has of the row, so that of each column the cell with the later
   * timestamp remains. Without timestamps that tell, or if the other is complex, the row is
   * complex.
   *
   * @param newestOnly whether no older cells are asked for; the row is complex if they are and
   *     there are any
   */
  public void merge(WholeRow other, boolean newestOnly) {
    complex |= other.complex;
    List<Cell> mine = List.copyOf(cells);
    cells.clear();
    int i = 0;
    int j = 0;
    while (!complex && (i < mine.size() || j < other.cells.size())) {
      int c = compareColumns(mine, i, other.cells, j);
      if (c == 0) {
        c = Long.compare(other.cells.get(j).getTimestamp(), mine.get(i).getTimestamp());
        complex = c == 0 || !newestOnly;
        i += c > 0 ? 1 : 0;
        j += c < 0 ? 1 : 0;
      } else {
        cells.add(c < 0 ? mine.get(i++) : other.cells.get(j++));
      }
    }
    oldest = Math.min(oldest, other.oldest);
    if (complex) {
      cells.clear();
    }
  }

  private static int compareColumns(List<Cell> some, int i, List<Cell> others, int j) {
    if (i == some.size() || j == others.size()) {
      return i == some.size() ? 1 : -1;
    }
    return CellComparator.getInstance().compareQualifiers(some.get(i), others.get(j));
  }

  /**
   * Whether what was gathered is the source's, which then must not move on; otherwise the row's key
   * is copied.
   */
  public boolean holdsCells() {
    if (first == null || !complex) {
      return first != null;
    }
    first = KeyValueUtil.createFirstOnRow(CellUtil.cloneRow(first));
    return false;
  }

  /** Forgets the row. */
  public void clear() {
    cells.clear();
    first = null;
    complex = false;
  }

  @Override
  public byte[] rowArray() {
    return first.getRowArray();
  }

  @Override
  public int rowOffset() {
    return first.getRowOffset();
  }

  @Override
  public int rowLength() {
    return first.getRowLength();
  }

  @Override
  public boolean isComplex() {
    return complex;
  }

  @Override
  public long oldestTimestamp() {
    return oldest;
  }

  @Override
  public boolean matches(RowJudge judge) {
    judge.reset();
    for (Cell c : cells) {
      int column = predicate.columnOf(c);
      if (column >= 0
          && !judge.offer(column, c.getValueArray(), c.getValueOffset(), c.getValueLength())) {
        return false;
      }
    }
    return judge.matches();
  }

  @Override
  public StoredRow keep() {
    List<Cell> kept = new ArrayList<>(cells.size());
    int size = 0;
    for (Cell c : cells) {
      if (qualifiers == null || qualifiers.contains(CellUtil.cloneQualifier(c))) {
        KeyValue copy = KeyValueUtil.copyToNewKeyValue(c);
        size += (int) copy.heapSize();
        kept.add(copy);
      }
    }
    return new Kept(CellUtil.cloneRow(first), kept, size);
  }

  /** Cells on the heap are the source's own: HBase counts and reuses only memory off it. */
  @Override
  public void addTo(List<Cell> out) {
    for (Cell c : cells) {
      if (qualifiers == null || qualifiers.contains(CellUtil.cloneQualifier(c))) {
        out.add(c instanceof ByteBufferExtendedCell ? KeyValueUtil.copyToNewKeyValue(c) : c);
      }
    }
  }

  private record Kept(byte[] row, List<Cell> cells, int size) implements StoredRow {
    @Override
    public void unpack(List<Cell> out) {
      out.addAll(cells);
    }

    @Override
    public int heapSize() {
      return 96 + row.length + size;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Kept other && Bytes.equals(row, other.row);
    }

    @Override
    public int hashCode() {
      return Bytes.hashCode(row);
    }
  }
}
