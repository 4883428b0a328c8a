package io.spyhop.server.ddl;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A file system under a process that dies after so many steps: files that it creates are there at
 * once, and of what it writes at last half is. Not thread-safe.
 */
final class DyingFiles extends FilterFileSystem {
  private final int last;
  private int steps;

  /** Thrown instead of every further step. */
  static final class DeadException extends IOException {
    private static final long serialVersionUID = 1;

    DeadException() {
      super("dead");
    }
  }

  DyingFiles(FileSystem fs, int last) {
    super(fs);
    this.last = last;
  }

  /** How many it has made. */
  int steps() {
    return steps;
  }

  private void step() throws DeadException {
    if (steps >= last) {
      throw new DeadException();
    }
    steps++;
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    step();
    FSDataOutputStream out =
        super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
    out.flush();
    return new FSDataOutputStream(
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length / 2);
            out.flush();
            step();
            out.write(bytes, offset + length / 2, length - length / 2);
          }

          @Override
          public void close() throws IOException {
            out.close();
            step();
          }
        },
        null);
  }

  @Override
  public boolean delete(Path file, boolean recursive) throws IOException {
    step();
    return super.delete(file, recursive);
  }
}
