package io.spyhop.server.index.global.repair;

import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.seal.TableSeal;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
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
  private final TableSeal seal;
  private boolean torn;

  RepairListReader(RepairDirectory directory, Path path) throws IOException {
    this(
        path.toString(),
        directory.fs().getFileStatus(path).getLen(),
        directory.fs().open(path),
        directory.seal());
  }

  /**
   * @param path for messages
   * @param length of the list in bytes
   * @param in closed with this
   * @param seal opens what is sealed
   */
  RepairListReader(String path, long length, FSDataInputStream in, TableSeal seal) {
    this.path = path;
    this.length = length;
    this.in = in;
    this.seal = seal;
  }

  /**
   * The next entries, of one index, or null.
   *
   * @throws IOException if the list cannot be read now, or the key of its family cannot be had
   */
  EntryList next() throws IOException {
    try {
      byte[] frame = frame();
      return frame == null ? null : EntryList.decode(seal.open(frame));
    } catch (CorruptFrameException e) {
      return cut(e);
    }
  }

  private byte[] frame() throws IOException {
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
      return frame;
    } catch (EOFException e) {
      throw new CorruptFrameException("repair list: " + e, e);
    }
  }

  private EntryList cut(CorruptFrameException e) throws IOException {
    torn = true;
    LOG.warn("{} is cut at {}; what is before is used: {}", path, in.getPos(), e.toString());
    return null;
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
