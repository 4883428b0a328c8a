package io.spyhop.cli.csv;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read, and refuses to read too many for one record. Not thread-safe. */
final class MeteredInput extends FilterInputStream {
  private final long limit;
  private long total;
  private long record;

  /** More than the limit was read since the record began. */
  static final class RecordTooLongException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param limit bytes that may be read between two calls of {@link #beginRecord()}
   */
  MeteredInput(InputStream in, long limit) {
    super(in);
    this.limit = limit;
  }

  /** All bytes that were read. */
  long total() {
    return total;
  }

  /** What is read from now on belongs to another record. */
  void beginRecord() {
    record = 0;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    count(b < 0 ? 0 : 1);
    return b;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n = super.read(bytes, offset, length);
    count(Math.max(0, n));
    return n;
  }

  private void count(int n) throws IOException {
    total += n;
    record += n;
    if (record > limit) {
      throw new RecordTooLongException();
    }
  }
}
