package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/** A packed row unpacks to the cells that went in, whatever they hold. */
class PackedRowProperties {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] F = Bytes.toBytes("f");

  @Property
  void roundTrip(
      @ForAll @Size(min = 1, max = 20) Map<Short, byte[]> columns,
      @ForAll boolean sameTimestamp,
      @ForAll byte salt)
      throws IOException {
    ColumnDictionary dictionary = new ColumnDictionary();
    RowPacker packer = new RowPacker(dictionary, 1 << 20, null);
    List<Cell> cells = cells(columns, sameTimestamp, salt);
    for (int repeat = 0; repeat < 2; repeat++) {
      packer.begin();
      for (Cell c : cells) {
        packer.add(c);
      }
      assertThat(packer.isComplex()).isFalse();
      Arena arena = new Arena();
      long address = arena.begin(packer.packedSize());
      packer.finish(arena);
      assertThat(arena.used()).isEqualTo(packer.packedSize());
      byte[] packed = Bytes.copy(arena.array(address), arena.offset(address), packer.packedSize());
      List<Cell> out = new ArrayList<>();
      PackedRow.unpack(ROW, F, packed, ColumnDictionary.decode(dictionary.encode()), null, out);
      assertThat(out).usingElementComparator(PackedRowProperties::compare).isEqualTo(cells);
      assertThat(PackedRow.oldestTimestamp(packed, 0))
          .isEqualTo(cells.stream().mapToLong(Cell::getTimestamp).min().getAsLong());
    }
  }

  private static int compare(Cell a, Cell b) {
    int c = CellComparator.getInstance().compare(a, b);
    return c != 0
        ? c
        : Bytes.compareTo(
            a.getValueArray(),
            a.getValueOffset(),
            a.getValueLength(),
            b.getValueArray(),
            b.getValueOffset(),
            b.getValueLength());
  }

  private static List<Cell> cells(Map<Short, byte[]> columns, boolean sameTimestamp, byte salt) {
    List<Cell> cells = new ArrayList<>();
    new TreeMap<>(columns)
        .forEach(
            (q, value) -> {
              long ts = sameTimestamp ? 77 : 77 + (q * salt) % 5;
              cells.add(new KeyValue(ROW, F, Bytes.toBytes(q), ts, KeyValue.Type.Put, value));
            });
    cells.sort(CellComparator.getInstance());
    return cells;
  }
}
