package io.spyhop.server.global.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * Reads the inputs of a compaction once more after it (DELI, section V.B, staged design). They stay
 * on disk until {@link #drop()}: HBase archives no file that is being read.
 */
final class StagedRead extends RepairItem {
  private static final long SHIP_EVERY = 1_000;

  private final CellTap.Sink sink;
  private final CellComparator order;
  private final List<StoreFileScanner> files = new ArrayList<>();

  private StagedRead(RegionRepair region, long dueAt, CellTap.Sink sink, CellComparator order) {
    super(region, dueAt);
    this.sink = sink;
    this.order = order;
  }

  /** Opens the files, of which the latest written wins among equal cells. */
  static StagedRead open(
      RegionRepair region,
      long dueAt,
      CellTap.Sink sink,
      CellComparator order,
      Collection<HStoreFile> inputs)
      throws IOException {
    StagedRead read = new StagedRead(region, dueAt, sink, order);
    boolean ready = false;
    try {
      List<HStoreFile> sorted = new ArrayList<>(inputs);
      sorted.sort(Comparator.comparingLong(HStoreFile::getMaxSequenceId));
      for (HStoreFile f : sorted) {
        f.initReader();
        read.files.add(
            f.getStreamScanner(false, false, true, Long.MAX_VALUE, read.files.size(), false));
      }
      ready = true;
      return read;
    } finally {
      if (!ready) {
        read.drop();
      }
    }
  }

  @Override
  void run() throws IOException {
    try {
      read();
    } catch (IOException e) {
      region().lost();
      throw e;
    }
  }

  private void read() throws IOException {
    for (StoreFileScanner f : files) {
      f.seek(KeyValue.LOWESTKEY);
    }
    KeyValueHeap cells = new KeyValueHeap(files, order);
    long count = 0;
    for (Cell c = cells.peek(); c != null && !region().isClosed(); c = cells.peek()) {
      sink.cell(c);
      cells.next();
      if (++count % SHIP_EVERY == 0) {
        cells.shipped();
      }
    }
    if (!region().isClosed()) {
      sink.end();
    }
  }

  @Override
  int tries() {
    return 1;
  }

  @Override
  void drop() {
    sink.close();
    files.forEach(StoreFileScanner::close);
  }

  @Override
  public String toString() {
    return "reading " + sink + " again";
  }
}
