package io.spyhop.server.global;

import io.spyhop.core.global.BuiltRanges;
import io.spyhop.core.global.BuiltRanges.Range;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What an index table notes about itself: which rows of the base table are built, one row per
 * contiguous stretch that one region built (docs/formats/index-table.md). All such rows are before
 * all entries, in the table's first region. Stateless.
 */
final class ControlRows {
  /** Where they start; the row of the base table that a stretch starts with follows. */
  private static final byte[] PREFIX = {0x00, 'b'};

  private static final byte[] END = {0x00, 'c'};

  private ControlRows() {}

  /** Notes that rows are built; a later note of the same start replaces it. */
  static Put built(byte[] start, byte[] end) {
    return new Put(Bytes.add(PREFIX, start))
        .addColumn(
            IndexTable.CONTROL,
            new byte[0],
            new BuiltRanges(List.of(new Range(start, end))).encode())
        .setDurability(Durability.SYNC_WAL);
  }

  /** Reads all of them. */
  static Scan scan() {
    return new Scan().withStartRow(PREFIX).withStopRow(END).addFamily(IndexTable.CONTROL);
  }

  /** What a cell of {@link #scan} says. */
  static List<Range> ranges(Cell cell) throws CorruptFrameException {
    return BuiltRanges.decode(CellUtil.cloneValue(cell)).ranges();
  }

  /** All that cells of {@link #scan} say. */
  static BuiltRanges ranges(Iterable<Cell> cells) throws CorruptFrameException {
    List<Range> ranges = new ArrayList<>();
    for (Cell c : cells) {
      ranges.addAll(ranges(c));
    }
    return new BuiltRanges(List.copyOf(ranges));
  }
}
