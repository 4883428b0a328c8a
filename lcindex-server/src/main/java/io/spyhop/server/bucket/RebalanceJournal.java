package io.spyhop.server.bucket;

import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What masters have noted of rebalances (docs/formats/rebalance-journal.md): a small file for each
 * table, in HBase's root directory, which always says how far its last rebalance is. A master that
 * takes over reads it. Thread-safe for different tables.
 */
final class RebalanceJournal {
  private static final Logger LOG = LoggerFactory.getLogger(RebalanceJournal.class);
  private static final String DIRECTORY = ".spyhop-rebalance";
  private static final String UNFINISHED = ".tmp";
  private static final int MAX_BYTES = 16 << 20;
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  private final FileSystem fs;
  private final Path directory;

  RebalanceJournal(FileSystem fs, Path root) {
    this.fs = fs;
    this.directory = new Path(root, DIRECTORY);
  }

  private Path file(TableName table) {
    return new Path(directory, MD5Hash.getMD5AsHex(table.getName()));
  }

  /** Notes a state; the one before is there until this one is. */
  void write(RebalanceState state) throws IOException {
    if (!fs.exists(directory)) {
      fs.mkdirs(directory, OWNER_ONLY);
    }
    Path file = file(state.request().table());
    Path written = file.suffix(UNFINISHED);
    try (FSDataOutputStream out = fs.create(written, true)) {
      out.write(state.encode());
      out.hsync();
    }
    FileContext.getFileContext(fs.getUri(), fs.getConf())
        .rename(written, file, Options.Rename.OVERWRITE);
  }

  /**
   * What was noted last of a table.
   *
   * @throws IOException also if that cannot be read
   */
  Optional<RebalanceState> read(TableName table) throws IOException {
    try {
      return Optional.of(read(file(table)));
    } catch (FileNotFoundException e) {
      LOG.debug("Table {} has not been rebalanced", table, e);
      return Optional.empty();
    }
  }

  /** Forgets a table. */
  void forget(TableName table) throws IOException {
    fs.delete(file(table), false);
  }

  /** Those that have begun and not ended; files that cannot be read are left alone. */
  List<RebalanceState> open() throws IOException {
    List<RebalanceState> open = new ArrayList<>();
    for (FileStatus file : files()) {
      if (!file.getPath().getName().endsWith(UNFINISHED)) {
        try {
          RebalanceState state = read(file.getPath());
          if (state.phase().isOpen()) {
            open.add(state);
          }
        } catch (FileNotFoundException e) {
          LOG.debug("{} is forgotten", file.getPath(), e);
        } catch (CorruptFrameException e) {
          LOG.error("{} cannot be read; a rebalance may not have ended", file.getPath(), e);
        }
      }
    }
    return open;
  }

  private FileStatus[] files() throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  /** The file may be replaced meanwhile: its length counts when it has been opened. */
  private RebalanceState read(Path file) throws IOException {
    byte[] bytes;
    try (FSDataInputStream in = fs.open(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new CorruptFrameException("rebalance state of more than " + MAX_BYTES + " bytes");
    }
    return RebalanceState.decode(bytes);
  }
}
