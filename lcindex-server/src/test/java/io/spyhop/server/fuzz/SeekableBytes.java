package io.spyhop.server.fuzz;

import java.io.ByteArrayInputStream;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;

/** Bytes as a file system would give them, from the first to the last. */
final class SeekableBytes extends ByteArrayInputStream implements Seekable, PositionedReadable {
  SeekableBytes(byte[] bytes) {
    super(bytes);
  }

  @Override
  public void seek(long to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getPos() {
    return pos;
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void readFully(long position, byte[] buffer, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void readFully(long position, byte[] buffer) {
    throw new UnsupportedOperationException();
  }
}
