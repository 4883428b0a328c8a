package io.spyhop.server.global.repair;

import io.spyhop.core.global.EntryList;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a repair list up to its end, or up to where a crash of its writer has cut it. Not
 * thread-safe.
 */
final class RepairListReader implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairListReader.class);
  private static final int MAX_FRAME = 64 << 20;

  private final String path;
  private final long length;
  private final FSDataInputStream in;
  private boolean torn;

  RepairListReader(FileSystem fs, Path path) throws IOException {
    this(path.toString(), fs.getFileStatus(path).getLen(), fs.open(path));
  }

  /**
   * @param path for messages
   * @param length of the list in bytes
   * @param in closed with this
   */
  RepairListReader(String path, long length, FSDataInputStream in) {
    this.path = path;
    this.length = length;
    this.in = in;
  }

  /** The next entries, of one index, or null. */
  EntryList next() throws IOException {
    int first = torn ? -1 : in.read();
    if (first < 0) {
      return null;
    }
    try {
      int size = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
      if (size < 0 || size > Math.min(MAX_FRAME, length - in.getPos())) {
        throw new CorruptFrameException("repair list: frame of " + size + " bytes");
      }
      byte[] frame = new byte[size];
      in.readFully(frame);
      return EntryList.decode(frame);
    } catch (EOFException | CorruptFrameException e) {
      torn = true;
      LOG.warn("{} is cut at {}; what is before is used: {}", path, in.getPos(), e.toString());
      return null;
    }
  }

  /** Whether the list was found to have been cut. */
  boolean isTorn() {
    return torn;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
