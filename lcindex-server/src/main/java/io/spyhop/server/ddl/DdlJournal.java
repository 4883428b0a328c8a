package io.spyhop.server.ddl;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What masters have begun to do to global indexes and not ended: a small file for each, in HBase's
 * root directory, there before the first step and gone after the last (correctness rule 30). The
 * master that takes over ends it. Thread-safe for records of different base tables; those of one
 * are written one after the other.
 */
final class DdlJournal {
  private static final Logger LOG = LoggerFactory.getLogger(DdlJournal.class);
  private static final String DIRECTORY = ".spyhop-ddl";
  private static final String UNFINISHED = ".tmp";

  /** A record holds one definition and the splits of one table. */
  private static final int MAX_BYTES = 64 << 20;

  /** Splits are values of the table. */
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  private final FileSystem fs;
  private final Path directory;

  DdlJournal(FileSystem fs, Path root) {
    this.fs = fs;
    this.directory = new Path(root, DIRECTORY);
  }

  /** Notes that something begins; what has been begun with an index of that name is given up. */
  void begin(DdlRecord record) throws IOException {
    List<DdlRecord> open = open();
    if (open.stream().noneMatch(o -> Arrays.equals(o.encode(), record.encode()))) {
      write(record);
    }
    for (DdlRecord other : open) {
      if (other.isOfSameIndex(record) && !other.name().equals(record.name())) {
        LOG.info("{} is given up: {} comes after it", other, record);
        end(other);
      }
    }
  }

  /** At no time is there none of two of the same name. */
  private void write(DdlRecord record) throws IOException {
    fs.mkdirs(directory, OWNER_ONLY);
    Path file = new Path(directory, record.name());
    Path written = file.suffix(UNFINISHED);
    try (FSDataOutputStream out = fs.create(written, true)) {
      out.write(record.encode());
      out.hsync();
    }
    FileContext.getFileContext(fs.getUri(), fs.getConf())
        .rename(written, file, Options.Rename.OVERWRITE);
  }

  /** Notes that something has ended. */
  void end(DdlRecord record) throws IOException {
    fs.delete(new Path(directory, record.name()), false);
  }

  /** Whether something has been begun and not ended. */
  boolean isOpen(DdlRecord record) throws IOException {
    return fs.exists(new Path(directory, record.name()));
  }

  /** All that has been begun and not ended; files that cannot be read are left alone. */
  List<DdlRecord> open() throws IOException {
    List<DdlRecord> records = new ArrayList<>();
    for (FileStatus file : files()) {
      if (!file.getPath().getName().endsWith(UNFINISHED)) {
        try {
          records.add(read(file.getPath()));
        } catch (FileNotFoundException e) {
          LOG.debug("{} has ended", file.getPath(), e);
        } catch (CorruptFrameException e) {
          LOG.error("{} cannot be read; look for orphaned index tables", file.getPath(), e);
        }
      }
    }
    return records;
  }

  private FileStatus[] files() throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  /** The file may be replaced meanwhile: its length counts when it has been opened. */
  private DdlRecord read(Path file) throws IOException {
    byte[] bytes;
    try (FSDataInputStream in = fs.open(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new CorruptFrameException("DDL record of more than " + MAX_BYTES + " bytes");
    }
    return DdlRecord.decode(bytes);
  }
}
