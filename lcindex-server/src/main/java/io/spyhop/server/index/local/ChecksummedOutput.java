package io.spyhop.server.index.local;

import java.io.FilterOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;

/** Writes a file and takes the checksums of what was meant to be written. Not thread-safe. */
final class ChecksummedOutput extends FilterOutputStream {
  private final FSDataOutputStream file;
  private final FileChecksums.Builder checksums = new FileChecksums.Builder(FileChecksums.PIECE);

  ChecksummedOutput(FSDataOutputStream file) {
    super(file);
    this.file = file;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] b, int off, int len) throws IOException {
    checksums.add(b, off, len);
    file.write(b, off, len);
  }

  /** Puts all on the disk; nothing is written afterwards. */
  FileChecksums finish() throws IOException {
    file.hsync();
    return checksums.finish();
  }
}
