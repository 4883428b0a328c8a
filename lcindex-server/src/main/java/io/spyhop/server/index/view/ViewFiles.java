package io.spyhop.server.index.view;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.seal.Sealed;
import io.spyhop.server.seal.SideFiles;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.ViewFormat;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;

/**
 * The view of one store, {@code .spyhop-views/FAMILY} in the region's directory; HBase overlooks
 * the name and deletes it with the region. Thread-safe.
 */
final class ViewFiles {
  static final String NAME = ".spyhop-views";

  private final FileSystem fs;
  private final Path directory;
  private final Path file;
  private final Configuration conf;
  private final ColumnFamilyDescriptor family;
  private boolean closed;

  ViewFiles(HRegion region, ColumnFamilyDescriptor family) {
    HRegionFileSystem files = region.getRegionFileSystem();
    this.conf = region.getReadOnlyConfiguration();
    this.family = family;
    this.fs = files.getFileSystem();
    this.directory = new Path(files.getRegionDir(), NAME);
    this.file = new Path(directory, family.getNameAsString());
  }

  boolean exists() throws IOException {
    return fs.exists(file);
  }

  /**
   * The view that was written last.
   *
   * @param most a longer file is not read
   * @param read is told how many bytes are read
   * @return empty if there is none of this format
   * @throws CorruptFrameException if it is damaged
   */
  Optional<SortedView> read(long most, LongConsumer read) throws IOException {
    FileStatus status;
    try {
      status = fs.getFileStatus(file);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    if (status.getLen() > Math.min(most, Integer.MAX_VALUE - Long.BYTES)) {
      return Optional.empty();
    }
    byte[] bytes = new byte[(int) status.getLen()];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, bytes);
    }
    read.accept(bytes.length);
    return ViewFormat.decode(Sealed.open(bytes, conf));
  }

  /**
   * Writes a view in place of the one before; encrypted where the HFiles are. Not once this is
   * closed: by then the region may have been deleted, and would have a directory again.
   *
   * @throws CancellationException if it is closed
   */
  void write(SortedView view) throws IOException {
    byte[] bytes = Sealed.seal(ViewFormat.encode(view), conf, family);
    synchronized (this) {
      if (closed) {
        throw new CancellationException("the region has been closed");
      }
      write(bytes);
    }
  }

  private void write(byte[] bytes) throws IOException {
    Path made = new Path(directory, "." + file.getName() + "." + UUID.randomUUID());
    try {
      SideFiles.write(SideFiles.create(fs, directory.getParent(), made, false), bytes);
      fs.delete(file, false);
      if (!fs.rename(made, file)) {
        throw new IOException("cannot rename " + made + " to " + file);
      }
    } finally {
      fs.delete(made, false);
    }
  }

  /** Waits for what is being written, and has nothing written any more. */
  synchronized void close() {
    closed = true;
  }

  void delete() throws IOException {
    fs.delete(file, false);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
