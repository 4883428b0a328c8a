package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows and their entries for every index of a family, until they are sorted into files: a row is
 * held once, however many indexes there are. Not thread-safe.
 */
final class RecordBuffer {
  private final Arena arena = new Arena();
  private final List<SortedEntries> entries = new ArrayList<>();

  RecordBuffer(List<IndexDefinition> definitions) {
    definitions.forEach(d -> entries.add(new SortedEntries(arena)));
  }

  /** Adds the row that the packer holds and returns its address. */
  long addRow(byte[] row, RowPacker packer) {
    int packed = packer.packedSize();
    long address = arena.begin(2 * Bytes.SIZEOF_INT + row.length + packed);
    arena.appendInt(row.length);
    arena.append(row, 0, row.length);
    arena.appendInt(packed);
    packer.finish(arena);
    return address;
  }

  /** Adds an entry of an index, by the index's position. */
  void addEntry(int index, byte[] key, long row) {
    entries.get(index).add(key, row);
  }

  /** Bytes on the heap, what sorting needs included. */
  long size() {
    long lists = 0;
    for (SortedEntries e : entries) {
      lists += e.heapSize();
    }
    return arena.used() + lists;
  }

  /** Takes records in (key, row) order. */
  @FunctionalInterface
  interface RecordConsumer {
    void record(
        byte[] key,
        int keyOffset,
        int keyLength,
        byte[] row,
        int rowOffset,
        int rowLength,
        byte[] value,
        int valueOffset,
        int valueLength)
        throws IOException;
  }

  /** Hands over the records of one index. */
  void drain(int index, RecordConsumer sink) throws IOException {
    SortedEntries list = entries.get(index);
    for (int i : list.sorted()) {
      byte[] keys = arena.array(list.key(i));
      int key = arena.offset(list.key(i));
      byte[] rows = arena.array(list.row(i));
      int row = arena.offset(list.row(i));
      int rowLength = Bytes.toInt(rows, row);
      int value = row + Bytes.SIZEOF_INT + rowLength;
      sink.record(
          keys,
          key + Bytes.SIZEOF_INT,
          Bytes.toInt(keys, key),
          rows,
          row + Bytes.SIZEOF_INT,
          rowLength,
          rows,
          value + Bytes.SIZEOF_INT,
          Bytes.toInt(rows, value));
    }
  }

  void clear() {
    arena.clear();
    entries.forEach(SortedEntries::clear);
  }
}
