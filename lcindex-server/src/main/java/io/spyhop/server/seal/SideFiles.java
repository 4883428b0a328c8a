package io.spyhop.server.seal;

import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, writes and reads small files. The directories of regions and tables are HBase's to make
 * and to delete: one that is gone is not made again by work that comes late. Stateless.
 */
public final class SideFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SideFiles.class);

  private SideFiles() {}

  /**
   * Creates a file, and the directories between.
   *
   * @param home the region's or table's directory, somewhere above the file
   * @param overwrite whether there may be such a file, which is replaced
   * @throws FileNotFoundException if the region or table has been deleted
   */
  public static FSDataOutputStream create(FileSystem fs, Path home, Path file, boolean overwrite)
      throws IOException {
    if (!fs.exists(home)) {
      throw new FileNotFoundException(home + " has been deleted, nothing is kept there any more");
    }
    fs.mkdirs(file.getParent());
    return fs.createNonRecursive(
        file,
        overwrite,
        fs.getConf().getInt(IO_FILE_BUFFER_SIZE_KEY, IO_FILE_BUFFER_SIZE_DEFAULT),
        fs.getDefaultReplication(file),
        fs.getDefaultBlockSize(file),
        null);
  }

  /** Writes a file's only bytes, durable once this returns, and closes it. */
  public static void write(FSDataOutputStream file, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = file) {
      out.write(bytes);
      sync(out);
    }
  }

  /** Makes durable what was written; an object store does not before the file is closed. */
  public static void sync(FSDataOutputStream out) throws IOException {
    try {
      out.hsync();
    } catch (UnsupportedOperationException e) {
      LOG.debug("Durable when it is closed", e);
    }
  }

  /**
   * Reads a file in one go: another may take its place meanwhile.
   *
   * @throws FileNotFoundException if there is none
   * @throws CorruptFrameException if it is longer than that, or is not what the file system has
   *     checksums of
   */
  public static byte[] read(FileSystem fs, Path file, int mostBytes) throws IOException {
    byte[] bytes;
    try (FSDataInputStream in = fs.open(file)) {
      bytes = in.readNBytes(mostBytes + 1);
    } catch (ChecksumException e) {
      throw new CorruptFrameException(file + " is damaged: " + e.getMessage());
    }
    if (bytes.length > mostBytes) {
      throw new CorruptFrameException(file + " has more than " + mostBytes + " bytes");
    }
    return bytes;
  }
}
