package io.spyhop.server.index.local;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Bytes in chunks, addressed by a long. What is written between two {@link #begin} calls lies in
 * one chunk. Not thread-safe.
 */
final class Arena {
  private static final int CHUNK_BITS = 20;
  static final int CHUNK = 1 << CHUNK_BITS;

  private final List<byte[]> chunks = new ArrayList<>();
  private int chunk = -1;
  private int position = CHUNK;

  /**
   * Begins a contiguous stretch.
   *
   * @param size how many bytes will be appended at the most, up to {@link #CHUNK}
   * @return its address
   */
  long begin(int size) {
    if (size > CHUNK) {
      throw new IllegalArgumentException("stretch of " + size + " bytes");
    }
    if (position + size > CHUNK) {
      chunk++;
      position = 0;
      if (chunk == chunks.size()) {
        chunks.add(new byte[CHUNK]);
      }
    }
    return ((long) chunk << CHUNK_BITS) + position;
  }

  void append(byte b) {
    chunks.get(chunk)[position++] = b;
  }

  void append(byte[] b, int off, int len) {
    System.arraycopy(b, off, chunks.get(chunk), position, len);
    position += len;
  }

  void appendInt(int value) {
    position = Bytes.putInt(chunks.get(chunk), position, value);
  }

  byte[] array(long address) {
    return chunks.get((int) (address >>> CHUNK_BITS));
  }

  int offset(long address) {
    return (int) address & (CHUNK - 1);
  }

  /** Bytes in use, the unused ends of chunks included. */
  long used() {
    return chunk < 0 ? 0 : ((long) chunk << CHUNK_BITS) + position;
  }

  /** Forgets what was written and keeps the chunks. */
  void clear() {
    chunk = -1;
    position = CHUNK;
  }
}
