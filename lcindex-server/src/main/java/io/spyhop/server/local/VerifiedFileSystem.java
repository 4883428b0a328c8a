package io.spyhop.server.local;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;

/**
 * The file system through which one IFile is read, so that HBase verifies the checksums in the
 * file's blocks: a local file system has none of its own.
 *
 * <p>HBase opens the file once through this object for the trailer, reads blocks through {@link
 * #getNoChecksumFs()}, and opens it here again only when a block's checksum does not match, hoping
 * that the file system will repair it. That second open is refused. One object serves one reader.
 */
final class VerifiedFileSystem extends HFileSystem {
  private final AtomicBoolean opened = new AtomicBoolean();

  VerifiedFileSystem(FileSystem fs) {
    super(fs);
  }

  @Override
  public boolean useHBaseChecksum() {
    return true;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    refuseSecond(path);
    return super.open(path, bufferSize);
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    refuseSecond(path);
    return fs.open(path);
  }

  private void refuseSecond(Path path) throws IOException {
    if (opened.getAndSet(true)) {
      throw new CorruptIndexFileException("checksum of a block of " + path + " does not match");
    }
  }
}
