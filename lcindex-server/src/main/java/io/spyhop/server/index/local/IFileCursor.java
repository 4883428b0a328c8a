package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.RowJudge;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.KeyRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads the records of an IFile. */
final class IFileCursor implements RecordCursor {
  private static final int SHIP_EVERY = 1024;

  private final IFileReader reader;
  private final HFileScanner scanner;
  private final byte[] family;
  private final int[] judged;
  private final boolean[] selected;
  private final Iterator<KeyRange> ranges;
  private final RecordBytes record = new RecordBytes();
  private KeyRange range;
  private byte[] upper;
  private long upperPrefix;
  private Cell cell;
  private int sinceShipped;

  /**
   * @param family the indexed family
   * @param ranges ascending, disjoint
   * @param predicate whose columns records are judged by
   * @param qualifiers the selected qualifiers; null or empty for all
   */
  IFileCursor(
      IFileReader reader,
      byte[] family,
      List<KeyRange> ranges,
      BoundPredicate predicate,
      NavigableSet<byte[]> qualifiers,
      boolean cacheBlocks) {
    this.reader = reader;
    this.family = family;
    this.scanner = reader.scanner(cacheBlocks);
    this.ranges = ranges.iterator();
    ColumnDictionary d = reader.dictionary();
    this.judged = new int[d.size()];
    boolean all = qualifiers == null || qualifiers.isEmpty();
    this.selected = all ? null : new boolean[d.size()];
    for (int i = 0; i < d.size(); i++) {
      judged[i] = predicate.columnOf(ColumnName.of(family, d.qualifier(i)));
      if (!all) {
        selected[i] = qualifiers.contains(d.qualifier(i));
      }
    }
  }

  @Override
  public boolean next() throws IOException {
    try {
      return advance();
    } catch (RuntimeException e) {
      throw reader.damaged(e);
    }
  }

  private boolean advance() throws IOException {
    if (cell != null && ++sinceShipped >= SHIP_EVERY) {
      scanner.shipped();
      sinceShipped = 0;
    }
    boolean positioned = cell != null && scanner.next();
    while (true) {
      if (positioned) {
        cell = scanner.getCell();
        if (!isPastRange()) {
          record.read(cell);
          return true;
        }
      }
      if (!ranges.hasNext()) {
        cell = null;
        return false;
      }
      enter(ranges.next());
      positioned = seek();
    }
  }

  private boolean seek() throws IOException {
    if (range.lower() == null) {
      return scanner.seekTo();
    }
    return StoreFileScanner.seekAtOrAfter(
        scanner, KeyValueUtil.createFirstOnRow(range.lower().bytes()));
  }

  /** Almost always eight bytes tell; what a comparator costs is a tenth of a query. */
  private boolean isPastRange() {
    if (upper == null || cell.getRowLength() >= Long.BYTES && isBeforeUpper()) {
      return false;
    }
    return CellComparator.getInstance().compareRows(cell, upper, 0, upper.length) > 0;
  }

  private boolean isBeforeUpper() {
    long key =
        cell instanceof ByteBufferExtendedCell buffered
            ? ByteBufferUtils.toLong(buffered.getRowByteBuffer(), buffered.getRowPosition())
            : Bytes.toLong(cell.getRowArray(), cell.getRowOffset());
    return Long.compareUnsigned(key, upperPrefix) < 0;
  }

  private void enter(KeyRange next) {
    range = next;
    upper = next.upper() == null ? null : next.upper().bytes();
    upperPrefix = upper == null ? 0 : Bytes.toLong(Arrays.copyOf(upper, Long.BYTES));
  }

  @Override
  public byte[] rowArray() {
    return record.row();
  }

  @Override
  public int rowOffset() {
    return record.rowOffset();
  }

  @Override
  public int rowLength() {
    return record.rowLength();
  }

  @Override
  public boolean isComplex() {
    return PackedRow.isComplex(record.packed(), record.packedOffset());
  }

  @Override
  public long oldestTimestamp() {
    return PackedRow.oldestTimestamp(record.packed(), record.packedOffset());
  }

  @Override
  public boolean matches(RowJudge judge) throws IOException {
    return PackedRow.judge(
        record.packed(), record.packedOffset(), record.packedLength(), judged, judge);
  }

  @Override
  public StoredRow keep() {
    return new Kept(
        Bytes.copy(record.row(), record.rowOffset(), record.rowLength()),
        Bytes.copy(record.packed(), record.packedOffset(), record.packedLength()),
        family,
        reader.dictionary(),
        selected);
  }

  @Override
  public void close() {
    scanner.close();
  }

  private record Kept(
      byte[] row, byte[] packed, byte[] family, ColumnDictionary dictionary, boolean[] selected)
      implements StoredRow {
    @Override
    public void unpack(List<Cell> out) throws IOException {
      PackedRow.unpack(row, family, packed, dictionary, selected, out);
    }

    @Override
    public int heapSize() {
      return 96 + row.length + packed.length;
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
