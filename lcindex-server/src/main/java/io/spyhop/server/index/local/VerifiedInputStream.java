package io.spyhop.server.index.local;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Gives out the bytes of a file as they were written, or fails: every piece that a read touches is
 * checked before any of it is handed over. Positional reads may run side by side; the others are
 * one thread's.
 */
final class VerifiedInputStream extends FSInputStream implements CanUnbuffer, StreamCapabilities {
  private static final int MAX_AT_ONCE = 4 << 20;

  private final FSDataInputStream in;
  private final String name;
  private final FileChecksums checksums;
  private long position;

  /**
   * @param name the file's, for messages
   */
  VerifiedInputStream(FSDataInputStream in, String name, FileChecksums checksums) {
    this.in = in;
    this.name = name;
    this.checksums = checksums;
  }

  @Override
  public int read(long from, byte[] b, int off, int len) throws IOException {
    Objects.checkFromIndexSize(off, len, b.length);
    if (from < 0) {
      throw new EOFException(name + " has no byte " + from);
    }
    if (len == 0) {
      return 0;
    }
    if (from >= checksums.length()) {
      return -1;
    }
    int count = (int) Math.min(Math.min(len, MAX_AT_ONCE), checksums.length() - from);
    long start = from - from % checksums.piece();
    long last = from + count - 1;
    long end = Math.min(last - last % checksums.piece() + checksums.piece(), checksums.length());
    if (start == from && end == from + count) {
      readPieces(from, b, off, count);
    } else {
      byte[] pieces = new byte[(int) (end - start)];
      readPieces(start, pieces, 0, pieces.length);
      System.arraycopy(pieces, (int) (from - start), b, off, count);
    }
    return count;
  }

  private void readPieces(long from, byte[] b, int off, int count) throws IOException {
    try {
      in.readFully(from, b, off, count);
    } catch (EOFException e) {
      throw new CorruptIndexFileException(
          name + " ends before its " + checksums.length() + " bytes", e);
    }
    if (!checksums.match(from, b, off, count)) {
      throw new CorruptIndexFileException(
          "checksum of " + name + " does not match in bytes " + from + " to " + (from + count - 1));
    }
  }

  @Override
  public int read(byte[] b, int off, int len) throws IOException {
    int count = read(position, b, off, len);
    position += Math.max(count, 0);
    return count;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public void seek(long to) throws IOException {
    if (to < 0 || to > checksums.length()) {
      throw new EOFException(name + " has no byte " + to);
    }
    position = to;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, checksums.length() - position);
  }

  @Override
  public boolean hasCapability(String capability) {
    return StreamCapabilities.UNBUFFER.equalsIgnoreCase(capability) && in.hasCapability(capability);
  }

  @Override
  public void unbuffer() {
    in.unbuffer();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
