package io.spyhop.server.index.local.directory;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import io.spyhop.server.seal.SideFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file by which a directory is known to hold index files of a cluster and nothing else ({@code
 * docs/formats/directory-mark.md}). Stateless.
 */
public final class DirectoryMark {
  static final String NAME = ".spyhop-cluster";

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryMark.class);
  private static final int MAGIC = 0x5350444D; // SPDM
  private static final int VERSION = 1;
  private static final int MAX_LENGTH = 4096;

  private DirectoryMark() {}

  /** The id of the cluster that has marked the directory; empty without a mark that is whole. */
  public static Optional<String> read(FileSystem fs, Path directory) throws IOException {
    Path file = new Path(directory, NAME);
    try {
      return Optional.of(decode(SideFiles.read(fs, file, MAX_LENGTH)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (CorruptFrameException e) {
      LOG.warn("{} is no mark", file, e);
      return Optional.empty();
    }
  }

  /** Reads the file's bytes. */
  static String decode(byte[] bytes) throws CorruptFrameException {
    return Frame.decode("mark of a directory", MAGIC, VERSION, bytes, Frame::readUtf);
  }

  /** Marks a directory, whole or not at all. Another cluster's mark may be faster: read again. */
  public static void write(FileSystem fs, Path directory, String cluster) throws IOException {
    Path written = new Path(directory, NAME + "." + UUID.randomUUID());
    try {
      SideFiles.write(
          fs.create(written, false),
          Frame.encode(MAGIC, VERSION, frame -> frame.writeUTF(cluster)));
      Path mark = new Path(directory, NAME);
      boolean there = fs.exists(mark);
      if (there && read(fs, directory).isEmpty()) {
        LOG.warn("{} is damaged, it is written anew", mark);
        there = !fs.delete(mark, false);
      }
      if (!there && !fs.rename(written, mark)) {
        LOG.debug("{} was made by another server meanwhile", mark);
      }
    } finally {
      fs.delete(written, false);
    }
  }

  /** Whether a file of that name is a mark, or one in the making. */
  static boolean isMark(String name) {
    return name.startsWith(NAME);
  }
}
