package io.spyhop.server.index.local;

import io.spyhop.server.index.local.column.BlockHashes;
import io.spyhop.server.index.local.column.RowHashes;
import java.io.IOException;
import org.apache.hadoop.hbase.util.Bytes;

/** Looks for rows in the columnar file of an HFile's rows, best in their order. Not thread-safe. */
public final class RowLookup {
  private final ColumnFile file;
  private BlockHashes hashes;
  private int block = -1;

  RowLookup(ColumnFile file) {
    this.file = file;
  }

  /** Whether the HFile has cells of a row; false is certain, true is wrong once in a million. */
  public boolean mayContain(byte[] b, int off, int len) throws IOException {
    try {
      return isIn(b, off, len);
    } catch (RuntimeException e) {
      throw new CorruptIndexFileException("cannot look for a row: " + e, e);
    }
  }

  private boolean isIn(byte[] b, int off, int len) throws IOException {
    if (file.blocks() == 0) {
      return false;
    }
    int wanted = file.blockOf(Bytes.copy(b, off, len));
    if (wanted != block) {
      block = -1;
      hashes = file.hashes(wanted);
      block = wanted;
    }
    int hash = RowHashes.of(b, off, len);
    for (int row = 0; row < hashes.rows(); row++) {
      if (hashes.of(row) == hash) {
        return true;
      }
    }
    return false;
  }
}
