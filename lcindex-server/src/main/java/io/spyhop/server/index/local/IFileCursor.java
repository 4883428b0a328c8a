package io.spyhop.server.index.local;

import io.spyhop.core.predicate.RowJudge;
import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads the records of an IFile. */
final class IFileCursor implements OrderedCursor {
  private final IFileReader reader;
  private final SpyhopCells cells;
  private final byte[] family;
  private final int[] judged;
  private final boolean[] selected;
  private final RecordWalk walk;

  /**
   * @param family the indexed family
   * @param way through the records
   */
  IFileCursor(
      IFileReader reader,
      byte[] family,
      Function<SpyhopCells, RecordWalk> way,
      RecordRequest request) {
    NavigableSet<byte[]> qualifiers = request.qualifiers();
    this.reader = reader;
    this.family = family;
    this.cells = reader.records(request.reading().cacheBlocks());
    this.walk = way.apply(cells);
    ColumnDictionary d = reader.dictionary();
    this.judged = new int[d.size()];
    boolean all = qualifiers == null || qualifiers.isEmpty();
    this.selected = all ? null : new boolean[d.size()];
    for (int i = 0; i < d.size(); i++) {
      judged[i] = request.predicate().columnOf(ColumnName.of(family, d.qualifier(i)));
      if (!all) {
        selected[i] = qualifiers.contains(d.qualifier(i));
      }
    }
  }

  @Override
  public boolean next() throws IOException {
    try {
      if (!walk.next()) {
        return false;
      }
      PackedRow.check(cells.array(), cells.valueOffset(), cells.valueLength());
      return true;
    } catch (RuntimeException e) {
      throw reader.damaged(e);
    }
  }

  @Override
  public byte[] keyArray() {
    return cells.array();
  }

  @Override
  public int keyOffset() {
    return cells.rowOffset();
  }

  @Override
  public int keyLength() {
    return cells.rowLength();
  }

  @Override
  public byte[] rowArray() {
    return cells.array();
  }

  @Override
  public int rowOffset() {
    return cells.qualifierOffset();
  }

  @Override
  public int rowLength() {
    return cells.qualifierLength();
  }

  @Override
  public boolean isComplex() {
    return PackedRow.isComplex(cells.array(), cells.valueOffset());
  }

  @Override
  public long oldestTimestamp() {
    return PackedRow.oldestTimestamp(cells.array(), cells.valueOffset());
  }

  @Override
  public boolean matches(RowJudge judge) throws IOException {
    return PackedRow.judge(cells.array(), cells.valueOffset(), cells.valueLength(), judged, judge);
  }

  @Override
  public StoredRow keep() {
    int packed = cells.valueOffset();
    return new Kept(
        Bytes.copy(cells.array(), cells.qualifierOffset(), cells.qualifierLength()),
        Arrays.copyOfRange(cells.array(), packed, packed + cells.valueLength()),
        family,
        reader.dictionary(),
        selected);
  }

  @Override
  public void close() {
    // A walk holds nothing.
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
