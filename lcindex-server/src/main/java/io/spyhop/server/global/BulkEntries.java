package io.spyhop.server.global;

import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Writes the entries of HFiles that are about to be loaded into a region: like any write, they are
 * indexed before they are there. Whoever loads them waits for it. Stateless.
 */
final class BulkEntries {
  private static final int BATCH = 2_000;

  private BulkEntries() {}

  /** Where entries go. */
  @FunctionalInterface
  interface Sink {
    void send(List<Put> puts) throws IOException;
  }

  /**
   * Reads files of the indexed family.
   *
   * @param files by family
   */
  static void write(
      Configuration conf,
      TableName base,
      IndexDefinition index,
      List<Pair<byte[], String>> files,
      Sink sink)
      throws IOException {
    for (Pair<byte[], String> file : files) {
      if (Arrays.equals(file.getFirst(), index.column().family())) {
        write(conf, base, index, new Path(file.getSecond()), sink);
      }
    }
  }

  private static void write(
      Configuration conf, TableName base, IndexDefinition index, Path file, Sink sink)
      throws IOException {
    BatchEntries entries = new BatchEntries(base, index);
    List<Put> batch = new ArrayList<>();
    FileSystem fs = file.getFileSystem(conf);
    try (HFile.Reader reader = HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf);
        HFileScanner scanner = reader.getScanner(conf, false, false)) {
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        Cell cell = scanner.getCell();
        if (CellUtil.isPut(cell) && index.column().matches(cell)) {
          requireTimestamp(cell, base, index, file);
          boolean labelled = BatchEntries.isLabelled(cell);
          entries.entry(cell).ifPresent(e -> batch.add(e.put(labelled)));
        }
        if (batch.size() >= BATCH) {
          sink.send(batch);
          batch.clear();
          scanner.shipped();
        }
      }
    }
    sink.send(batch);
  }

  /** An entry has its cell's timestamp, and HBase would give the entry another one. */
  private static void requireTimestamp(Cell cell, TableName base, IndexDefinition index, Path file)
      throws DoNotRetryIOException {
    if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
      throw new DoNotRetryIOException(
          "table '"
              + base
              + "': index '"
              + index.name()
              + "' cannot hold "
              + cell
              + " of '"
              + file
              + "', which has no timestamp: write the file with one");
    }
  }
}
