package io.spyhop.server.local;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;

/**
 * The file system through which HBase reads one IFile: it sees no byte that was not checked. Its
 * own checksums would come too late: it allocates as much memory as a block's header asks for
 * before it looks at them, and a trailer has none. They are not looked at a second time.
 */
final class VerifiedFileSystem extends HFileSystem {
  private final FileChecksums checksums;

  VerifiedFileSystem(FileSystem fs, FileChecksums checksums) {
    super(fs);
    this.checksums = checksums;
  }

  /** Opens a file for whoever reads its bytes; what differs from the checksums cannot be read. */
  static FSDataInputStream open(FileSystem fs, Path path, FileChecksums checksums)
      throws IOException {
    return new FSDataInputStream(
        new VerifiedInputStream(fs.open(path), path.toString(), checksums));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return open(path);
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    return open(fs, path, checksums);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    if (status.getLen() != checksums.length()) {
      throw new CorruptIndexFileException(
          path + " has " + status.getLen() + " bytes, expected " + checksums.length());
    }
    return status;
  }
}
