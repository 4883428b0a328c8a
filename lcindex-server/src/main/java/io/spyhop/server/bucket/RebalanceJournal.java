package io.spyhop.server.bucket;

import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.ddl.NoteFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable journal of rebalances (docs/formats/rebalance-journal.md): a small file for each table,
 * in HBase's root directory, which always says how far its last rebalance is. A master that takes
 * over reads it. Thread-safe for different tables.
 */
final class RebalanceJournal {
  private static final Logger LOG = LoggerFactory.getLogger(RebalanceJournal.class);
  private static final String DIRECTORY = ".spyhop-rebalance";
  private static final int MAX_BYTES = 16 << 20;

  private final NoteFiles<RebalanceState> files;

  RebalanceJournal(FileSystem fs, Path root) {
    this.files =
        new NoteFiles<>(
            fs,
            new Path(root, DIRECTORY),
            MAX_BYTES,
            RebalanceState::encode,
            RebalanceState::decode);
  }

  private static String name(TableName table) {
    return MD5Hash.getMD5AsHex(table.getName());
  }

  /** Notes a state; the one before is there until this one is. */
  void write(RebalanceState state) throws IOException {
    files.write(name(state.request().table()), state);
  }

  /**
   * What was noted last of a table.
   *
   * @throws DoNotRetryIOException if it is damaged: nobody knows whether one runs
   */
  Optional<RebalanceState> read(TableName table) throws IOException {
    try {
      return Optional.of(files.read(name(table)));
    } catch (FileNotFoundException e) {
      LOG.debug("Table {} has not been rebalanced", table, e);
      return Optional.empty();
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException(
          "table '"
              + table
              + "': the journal of its last rebalance cannot be read, file "
              + files.path(name(table))
              + ": "
              + e.getMessage()
              + "; delete it (hdfs dfs -rm), and the table can be rebalanced again: what was moved"
              + " stays, and which servers were left out is forgotten",
          e);
    }
  }

  /** Forgets a table. */
  void forget(TableName table) throws IOException {
    files.delete(name(table));
  }

  /** Those that have begun and not ended; files that cannot be read are left alone. */
  List<RebalanceState> open() throws IOException {
    List<RebalanceState> open = new ArrayList<>();
    for (String name : files.names()) {
      try {
        RebalanceState state = files.read(name);
        if (state.phase().isOpen()) {
          open.add(state);
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} is forgotten", files.path(name), e);
      } catch (CorruptFrameException e) {
        LOG.error(
            "{} cannot be read; a rebalance may not have ended. Delete it, and begin it again",
            files.path(name),
            e);
      }
    }
    return open;
  }
}
