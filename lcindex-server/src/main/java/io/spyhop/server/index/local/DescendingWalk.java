package io.spyhop.server.index.local;

import io.spyhop.core.value.KeyRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.SpyhopCells;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * By descending keys, and by ascending rows within a key:
 *
 * <pre>
 *   block    | a/3  a/7 | b/1  c/2  c/5 | c/9  d/4 |
 *   handed out as                 d/4, c/2 c/5 c/9, b/1, a/3 a/7
 * </pre>
 *
 * The walk looks for the last record before the key that it is done with, which tells the next key,
 * goes to that key's first record and from there forward. Both are binary searches within a block
 * whose cells' places are known; another block is looked up only where a key's records go over the
 * end of one.
 */
final class DescendingWalk implements RecordWalk {
  private final SpyhopCells cells;
  private final Iterator<KeyRange> ranges;

  /** The range that is walked, null before the first. */
  private KeyRange range;

  /** The key whose records are handed out, null before the first of a range. */
  private byte[] key;

  /**
   * @param ranges descending, disjoint
   */
  DescendingWalk(SpyhopCells cells, List<KeyRange> ranges) {
    this.cells = cells;
    this.ranges = ranges.iterator();
  }

  @Override
  public boolean next() throws IOException {
    if (key != null && cells.next() && cells.compareRow(key) == 0) {
      return true;
    }
    while (range == null || !nextKey()) {
      if (!ranges.hasNext()) {
        return false;
      }
      range = ranges.next();
      key = null;
    }
    return true;
  }

  /** Goes to the first record of the next key of the range. */
  private boolean nextKey() throws IOException {
    if (!cells.seekBefore(key == null ? behind(range) : key) || isBefore(range)) {
      return false;
    }
    key = Bytes.copy(cells.array(), cells.rowOffset(), cells.rowLength());
    return cells.seekTo(key);
  }

  private boolean isBefore(KeyRange of) {
    return of.lower() != null && cells.compareRow(of.lower().bytes()) < 0;
  }

  /** The least bytes that come behind a range's last key, null for the file's end. */
  private static byte[] behind(KeyRange range) {
    if (range.upper() == null) {
      return null;
    }
    byte[] last = range.upper().bytes();
    return Arrays.copyOf(last, last.length + 1);
  }
}
