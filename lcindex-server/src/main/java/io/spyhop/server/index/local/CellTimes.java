package io.spyhop.server.index.local;

import io.spyhop.core.wire.CorruptFrameException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The span of the timestamps of some cells, both ends included; of none, its beginning is behind
 * its end.
 */
record CellTimes(long oldest, long newest) {
  /** Of no cells. */
  static final CellTimes NONE = new CellTimes(Long.MAX_VALUE, Long.MIN_VALUE);

  /** Of cells of which nothing is known. */
  static final CellTimes ANY = new CellTimes(Long.MIN_VALUE, Long.MAX_VALUE);

  /** With further cells. */
  CellTimes and(long older, long newer) {
    return older >= oldest && newer <= newest
        ? this
        : new CellTimes(Math.min(oldest, older), Math.max(newest, newer));
  }

  /** Whether all are later than all of another. */
  boolean isAfter(CellTimes other) {
    return oldest > other.newest;
  }

  byte[] encode() {
    return ByteBuffer.allocate(2 * Bytes.SIZEOF_LONG).putLong(oldest).putLong(newest).array();
  }

  /** Reads what {@link #encode} wrote; of null, nothing is known. */
  static CellTimes decode(byte[] bytes) throws CorruptFrameException {
    if (bytes == null) {
      return ANY;
    }
    if (bytes.length != 2 * Bytes.SIZEOF_LONG) {
      throw new CorruptFrameException("timestamps in " + bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new CellTimes(in.getLong(), in.getLong());
  }
}
