package io.spyhop.server.query;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/** Row keys, for asking whether one is among them. Not thread-safe. */
final class RowSet {
  private static final int OVERHEAD = 112;

  private final Set<ByteBuffer> rows = new HashSet<>();
  private long bytes;

  /** Adds a row. */
  void add(byte[] b, int off, int len) {
    if (rows.add(ByteBuffer.wrap(Bytes.copy(b, off, len)))) {
      bytes += OVERHEAD + len;
    }
  }

  boolean contains(byte[] b, int off, int len) {
    return !rows.isEmpty() && rows.contains(ByteBuffer.wrap(b, off, len));
  }

  /** Bytes on the heap, about. */
  long heapSize() {
    return bytes;
  }
}
