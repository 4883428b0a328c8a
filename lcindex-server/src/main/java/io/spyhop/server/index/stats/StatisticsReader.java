package io.spyhop.server.index.stats;

import io.spyhop.server.index.memstore.RowLogger;
import io.spyhop.server.index.memstore.WriteLog;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * Gathers statistics that nobody gathered when the cells were written, and logs the memstore's
 * rows. Not thread-safe.
 */
public final class StatisticsReader {
  private static final int CELLS_AT_ONCE = 4096;

  private final HRegion region;
  private final HStore store;
  private final Optional<StoreStatistics> statistics;

  StatisticsReader(HRegion region, HStore store, Optional<StoreStatistics> statistics) {
    this.region = region;
    this.store = store;
    this.statistics = statistics;
  }

  /**
   * Reads an HFile.
   *
   * @param checkpoint called now and then; whether to give up
   * @throws CancellationException if it was given up
   */
  public void read(HStoreFile file, BooleanSupplier checkpoint) throws IOException {
    if (statistics.isEmpty()) {
      return;
    }
    file.initReader();
    long cells = StoreStatistics.cells(file);
    StoreFileScanner scanner = file.getStreamScanner(false, false, true, Long.MAX_VALUE, 0, false);
    try {
      CellCollector collector = new CellCollector(statistics.get().memstore().columns());
      read(scanner, collector, List.of(), checkpoint);
      statistics.get().read(file, cells, collector.build());
    } finally {
      scanner.close();
    }
  }

  private static void read(
      KeyValueScanner scanner,
      CellCollector collector,
      List<WriteLog> logs,
      BooleanSupplier checkpoint)
      throws IOException {
    List<RowLogger> loggers = logs.stream().map(RowLogger::new).toList();
    scanner.seek(KeyValue.LOWESTKEY);
    UnshippedBytes unshipped = new UnshippedBytes();
    for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
      collector.add(cell);
      for (RowLogger logger : loggers) {
        logger.add(cell);
      }
      if (unshipped.add(cell)) {
        scanner.shipped();
      }
      if (collector.cells() % CELLS_AT_ONCE == 0) {
        if (checkpoint.getAsBoolean()) {
          throw new CancellationException("the region closes");
        }
      }
    }
    loggers.forEach(RowLogger::end);
  }

  /**
   * Reads the memstore, after all writes under way have ended: they may not have been recorded.
   *
   * @throws CancellationException if it was given up
   */
  public void readMemstore(BooleanSupplier checkpoint) throws IOException {
    if (statistics.isEmpty()) {
      return;
    }
    MemstoreStatistics memstore = statistics.get().memstore();
    long before = memstore.reading();
    List<StatisticsColumn> columns = memstore.columns();
    region.blockUpdates();
    region.unblockUpdates();
    CellCollector all = new CellCollector(columns);
    List<WriteLog> logs = memstore.newLogs();
    try {
      readMemstore(all, logs, checkpoint);
      memstore.read(before, all.build(), all.cells(), logs);
    } catch (IOException | RuntimeException e) {
      logs.forEach(WriteLog::drop);
      throw e;
    }
  }

  private void readMemstore(CellCollector all, List<WriteLog> logs, BooleanSupplier checkpoint)
      throws IOException {
    List<KeyValueScanner> scanners =
        store.getScanners(
            false, false, false, null, new byte[0], true, new byte[0], true, Long.MAX_VALUE, false);
    try {
      List<KeyValueScanner> segments = new ArrayList<>(scanners);
      segments.removeIf(s -> s instanceof StoreFileScanner);
      for (KeyValueScanner s : segments) {
        read(s, all, logs, checkpoint);
      }
    } finally {
      scanners.forEach(KeyValueScanner::close);
    }
  }
}
