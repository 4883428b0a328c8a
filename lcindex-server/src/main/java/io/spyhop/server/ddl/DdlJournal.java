package io.spyhop.server.ddl;

import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable journal of begun changes to global indexes: a small file for each, in HBase's root
 * directory, there before the first step and gone after the last (correctness rule 30). The master
 * that takes over ends it. Thread-safe for records of different base tables; those of one are
 * written one after the other.
 */
final class DdlJournal {
  private static final Logger LOG = LoggerFactory.getLogger(DdlJournal.class);
  private static final String DIRECTORY = ".spyhop-ddl";

  /** A record holds one definition and the splits of one table, which are values of the table. */
  private static final int MAX_BYTES = 64 << 20;

  private final NoteFiles<DdlRecord> files;

  DdlJournal(FileSystem fs, Path root) {
    this.files =
        new NoteFiles<>(
            fs, new Path(root, DIRECTORY), MAX_BYTES, DdlRecord::encode, DdlRecord::decode);
  }

  /** Notes that something begins; what has been begun with an index of that name is given up. */
  void begin(DdlRecord record) throws IOException {
    Contents contents = contents();
    List<DdlRecord> open = contents.records;
    if (open.stream().noneMatch(o -> Arrays.equals(o.encode(), record.encode()))) {
      files.write(record.name(), record);
    }
    for (DdlRecord other : open) {
      if (other.isOfSameIndex(record) && !other.name().equals(record.name())) {
        LOG.info("{} is given up: {} comes after it", other, record);
        end(other);
      }
    }
    for (String damaged : contents.damaged.keySet()) {
      if (record.isOfSameIndex(damaged) && !damaged.equals(record.name())) {
        LOG.info("{}, which cannot be read, goes: {} comes after it", files.path(damaged), record);
        files.delete(damaged);
      }
    }
  }

  /** Notes that something has ended. */
  void end(DdlRecord record) throws IOException {
    files.delete(record.name());
  }

  /** A table is gone: what has been begun for it is not to be done to another of its name. */
  void end(TableName base) throws IOException {
    for (DdlRecord record : open()) {
      if (record.base().equals(base)) {
        LOG.info("{} ends with its table", record);
        end(record);
      }
    }
  }

  /** Whether something has been begun and not ended. */
  boolean isOpen(DdlRecord record) throws IOException {
    return files.has(record.name());
  }

  /** All that has been begun and not ended; files that cannot be read are left alone. */
  List<DdlRecord> open() throws IOException {
    return contents().records;
  }

  /**
   * What is wrong, and what to do about it: of each file that cannot be read.
   *
   * @param indexTables that there are, or that definitions name
   */
  List<Trouble> troubles(Collection<TableName> indexTables) throws IOException {
    List<Trouble> troubles = new ArrayList<>();
    contents().damaged.forEach((name, why) -> troubles.add(trouble(name, why, indexTables)));
    return troubles;
  }

  private Trouble trouble(String name, String why, Collection<TableName> indexTables) {
    String index =
        indexTables.stream()
            .filter(t -> name.endsWith(DdlRecord.ending(t)))
            .findFirst()
            .map(t -> "the global index whose table is '" + t + "'")
            .orElse("a global index that is not there");
    return new Trouble(
        "what a master has begun with "
            + index
            + " is ended by nobody: its journal, file "
            + files.path(name)
            + ", cannot be read: "
            + why,
        "see how the index is (spyhop index status, spyhop index list --orphans), create, rebuild or"
            + " drop it once more, which takes the file away; or delete the file (hdfs dfs -rm)");
  }

  /**
   * The contents of the files.
   *
   * @param damaged why each of the others cannot be read, by name
   */
  private record Contents(List<DdlRecord> records, Map<String, String> damaged) {}

  private Contents contents() throws IOException {
    List<DdlRecord> records = new ArrayList<>();
    Map<String, String> damaged = new TreeMap<>();
    for (String name : files.names()) {
      try {
        records.add(files.read(name));
      } catch (FileNotFoundException e) {
        LOG.debug("{} has ended", files.path(name), e);
      } catch (CorruptFrameException e) {
        LOG.error("{} cannot be read; spyhop doctor says what to do", files.path(name), e);
        damaged.put(name, e.getMessage());
      }
    }
    return new Contents(records, damaged);
  }
}
