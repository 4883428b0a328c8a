package io.spyhop.server.index.local;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;

/**
 * The file system through which HBase reads one IFile, by whatever path it asks for: it sees no
 * byte that was not checked. Its own checksums would come too late: it allocates as much memory as
 * a block's header asks for before it looks at them, and a trailer has none. They are not looked at
 * a second time.
 */
final class VerifiedFileSystem extends HFileSystem {
  private final CheckedFile file;

  VerifiedFileSystem(FileSystem fs, CheckedFile file) {
    super(fs);
    this.file = file;
  }

  /** Opens a file for readers of its bytes; what differs from the checksums cannot be read. */
  static FSDataInputStream open(FileSystem fs, CheckedFile file) throws IOException {
    return new FSDataInputStream(
        new VerifiedInputStream(fs.open(file.path()), file.path().toString(), file.checksums()));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return open(path);
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    return open(fs, file);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(file.path());
    if (status.getLen() != file.checksums().length()) {
      throw new CorruptIndexFileException(
          file.path()
              + " has "
              + status.getLen()
              + " bytes, expected "
              + file.checksums().length());
    }
    return status;
  }
}
