package io.spyhop.server.index.local;

import io.spyhop.core.value.KeyRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.util.Bytes;

/** By ascending keys, and by ascending rows within a key. */
final class AscendingWalk implements RecordWalk {
  private final SpyhopCells cells;
  private final Iterator<KeyRange> ranges;
  private byte[] upper;
  private long upperPrefix;
  private boolean begun;

  /**
   * @param ranges ascending, disjoint
   */
  AscendingWalk(SpyhopCells cells, List<KeyRange> ranges) {
    this.cells = cells;
    this.ranges = ranges.iterator();
  }

  @Override
  public boolean next() throws IOException {
    boolean positioned = begun && cells.next();
    begun = true;
    while (!positioned || isPastRange()) {
      if (!ranges.hasNext()) {
        return false;
      }
      KeyRange range = ranges.next();
      upper = range.upper() == null ? null : range.upper().bytes();
      upperPrefix = upper == null ? 0 : Bytes.toLong(Arrays.copyOf(upper, Long.BYTES));
      positioned = range.lower() == null ? cells.first() : cells.seek(range.lower().bytes());
    }
    return true;
  }

  /** Almost always eight bytes tell. */
  private boolean isPastRange() {
    if (upper == null || cells.rowLength() >= Long.BYTES && isBeforeUpper()) {
      return false;
    }
    return cells.compareRow(upper) > 0;
  }

  private boolean isBeforeUpper() {
    long key = Bytes.toLong(cells.array(), cells.rowOffset());
    return Long.compareUnsigned(key, upperPrefix) < 0;
  }
}
