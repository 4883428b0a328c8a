package io.spyhop.server.index.local;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * Packs the cells of one row after the other into the form that {@link PackedRow} reads. Cells come
 * in HBase's order and may be reused by their owner after each call. Not thread-safe.
 */
final class RowPacker {
  private static final int NOT_INCLUDED = -2;

  private final int maxBytes;

  /** By number in the dictionary. */
  private final KnownColumns<Integer> columns;

  private final ByteArrayOutputStream shared = new ByteArrayOutputStream(1024);
  private final DataOutputStream out = new DataOutputStream(shared);
  private final RowShape shape = new RowShape();
  private boolean sameTimestamp;
  private int cells;
  private int[] starts = new int[32];
  private long[] timestamps = new long[32];

  /**
   * @param maxBytes rows larger than this are not packed
   * @param include the qualifiers of the cells to pack; null for all. Whether a row is simple, and
   *     its oldest timestamp, depend on all of its cells
   */
  RowPacker(ColumnDictionary dictionary, int maxBytes, Set<ByteBuffer> include) {
    this.maxBytes = maxBytes;
    this.columns =
        new KnownColumns<>(
            q ->
                include == null || include.contains(ByteBuffer.wrap(q))
                    ? dictionary.number(q)
                    : NOT_INCLUDED);
  }

  /** A new row begins. */
  void begin() {
    shared.reset();
    columns.begin();
    shape.begin();
    cells = 0;
    sameTimestamp = true;
  }

  /** The row's next cell, of whatever kind. */
  void add(Cell cell) throws IOException {
    if (shape.isComplex()) {
      return;
    }
    int number = columns.of(cell);
    if (!shape.add(cell, columns.isRepeated()) || number == NOT_INCLUDED) {
      return;
    }
    if (number < 0 || shared.size() + cell.getValueLength() > maxBytes) {
      shape.setComplex();
      return;
    }
    append(cell, number);
  }

  private void append(Cell cell, int number) throws IOException {
    if (cells == starts.length) {
      starts = java.util.Arrays.copyOf(starts, cells * 2);
      timestamps = java.util.Arrays.copyOf(timestamps, cells * 2);
    }
    WritableUtils.writeVLong(out, number);
    WritableUtils.writeVLong(out, cell.getValueLength());
    starts[cells] = shared.size();
    timestamps[cells] = cell.getTimestamp();
    sameTimestamp &= cells == 0 || timestamps[0] == cell.getTimestamp();
    cells++;
    out.write(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  /** Whether the row's record cannot stand for it. */
  boolean isComplex() {
    return shape.isComplex();
  }

  /** Writes the record's value of the row that was added. */
  void finish(Arena arena) {
    if (shape.isComplex()) {
      arena.append(PackedRow.COMPLEX);
      return;
    }
    boolean common = hasCommonTimestamp();
    arena.append(common ? (byte) 0 : PackedRow.OWN_TIMESTAMPS);
    arena.append(Bytes.toBytes(shape.oldestTimestamp()), 0, Bytes.SIZEOF_LONG);
    byte[] b = shared.getBuffer();
    if (common) {
      arena.append(b, 0, shared.size());
      return;
    }
    int from = 0;
    for (int i = 0; i < cells; i++) {
      arena.append(b, from, starts[i] - from);
      arena.append(Bytes.toBytes(timestamps[i]), 0, Bytes.SIZEOF_LONG);
      from = starts[i];
    }
    arena.append(b, from, shared.size() - from);
  }

  /** The oldest timestamp, of all cells, must then be that of the packed ones too. */
  private boolean hasCommonTimestamp() {
    return sameTimestamp && (cells == 0 || timestamps[0] == shape.oldestTimestamp());
  }

  /** How many bytes {@link #finish} writes. */
  int packedSize() {
    return shape.isComplex()
        ? 1
        : 1
            + Bytes.SIZEOF_LONG
            + shared.size()
            + (hasCommonTimestamp() ? 0 : cells * Bytes.SIZEOF_LONG);
  }
}
