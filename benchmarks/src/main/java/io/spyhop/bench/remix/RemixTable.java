package io.spyhop.bench.remix;

import io.spyhop.bench.Await;
import io.spyhop.bench.Progress;
import io.spyhop.client.Spyhop;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.store.ViewStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of one region in this JVM, with keys of 16 bytes and values of 100. Not thread-safe. */
final class RemixTable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] Q = Bytes.toBytes("q");
  private static final int VALUE = 100;
  private static final int CACHING = 1_000;
  private static final int SCANS = 1_000;
  private static final long FLUSH_NEVER = 1L << 32;
  private static final Duration STEP = Duration.ofMillis(50);

  private final Connection connection;
  private final Supplier<List<HRegionServer>> servers;
  private final TableName name;

  /** Creates the table, in place of one of the name. */
  RemixTable(
      Connection connection,
      Supplier<List<HRegionServer>> servers,
      String name,
      DataBlockEncoding encoding,
      boolean views,
      UnaryOperator<TableDescriptorBuilder> options)
      throws IOException {
    this.connection = connection;
    this.servers = servers;
    this.name = TableName.valueOf(name);
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(F).setDataBlockEncoding(encoding);
    if (views) {
      family.setValue(ViewOption.NAME, "true");
    }
    drop();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          options
              .apply(
                  TableDescriptorBuilder.newBuilder(this.name)
                      .setMemStoreFlushSize(FLUSH_NEVER)
                      .setColumnFamily(family.build()))
              .build());
    }
  }

  TableName name() {
    return name;
  }

  void drop() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(name)) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    }
  }

  /** Up to sixteen HFiles in a store before they are compacted. */
  static TableDescriptorBuilder keepMany(TableDescriptorBuilder table) {
    return table
        .setValue("hbase.hstore.compaction.min", "12")
        .setValue("hbase.hstore.compaction.max", "16")
        .setValue("hbase.hstore.blockingStoreFiles", "32");
  }

  /** The key of a row. */
  static byte[] key(long row) {
    return Bytes.toBytes(String.format(Locale.ROOT, "user%012d", row));
  }

  /** Puts each row into one of the HFiles, chosen at random. */
  void load(int rows, int files, Progress.Factory progress) throws IOException {
    load(rows, 1, files, new int[rows], progress);
  }

  /**
   * The same with every so many-th row.
   *
   * @param last is told which seed each row has
   * @return bytes of cells that were put
   */
  long load(int rows, int step, int files, int[] last, Progress.Factory progress)
      throws IOException {
    byte[] file = new byte[rows];
    Random random = new Random(5);
    for (int i = 0; i < rows; i++) {
      file[i] = (byte) random.nextInt(files);
    }
    long bytes = 0;
    try (Progress bar = progress.start("load " + name, rows)) {
      for (int f = 0; f < files; f++) {
        try (BufferedMutator writer = connection.getBufferedMutator(name)) {
          for (int i = 0; i < rows; i++) {
            if (file[i] == f) {
              int row = step * i;
              last[row] = row + 1;
              Put made = put(row, last[row]);
              bytes += size(made);
              writer.mutate(made);
              bar.step(1);
            }
          }
        }
        flush();
      }
    }
    return bytes;
  }

  /** Puts new values into rows. */
  void put(IntStream rows) throws IOException {
    try (BufferedMutator writer = connection.getBufferedMutator(name)) {
      for (int row : rows.toArray()) {
        writer.mutate(put(row, row + 7L));
      }
    }
  }

  /** Bytes of the cell that is put. */
  static long size(Put put) {
    return put.get(F, Q).get(0).getSerializedSize();
  }

  /**
   * Whether the table has the values that were put last, and no other rows.
   *
   * @param last the seed of each row's; 0 if there is no such row
   */
  boolean has(int[] last) throws IOException {
    int row = 0;
    try (Table open = connection.getTable(name);
        ResultScanner all = open.getScanner(new Scan().addFamily(F).setCaching(CACHING))) {
      for (Result r : all) {
        while (row < last.length && last[row] == 0) {
          row++;
        }
        if (row == last.length || !Arrays.equals(r.getRow(), key(row))) {
          return false;
        }
        Put expected = put(row, last[row++]);
        if (!CellUtil.matchingValue(r.rawCells()[0], expected.get(F, Q).get(0))) {
          return false;
        }
      }
    }
    return Arrays.stream(last, row, last.length).allMatch(seed -> seed == 0);
  }

  /** A checksum of all rows and values. */
  long checksum() throws IOException {
    CRC32C sum = new CRC32C();
    try (Table open = connection.getTable(name);
        ResultScanner all = open.getScanner(new Scan().addFamily(F).setCaching(CACHING))) {
      for (Result r : all) {
        sum.update(r.getRow());
        sum.update(r.getValue(F, Q));
      }
    }
    return sum.getValue();
  }

  static Put put(long row, long seed) {
    return put(row, seed, HConstants.LATEST_TIMESTAMP);
  }

  static Put put(long row, long seed, long timestamp) {
    byte[] value = new byte[VALUE];
    new Random(seed).nextBytes(value);
    return new Put(key(row), timestamp).addColumn(F, Q, value).setDurability(Durability.SKIP_WAL);
  }

  /**
   * Flushes, and looks for a compaction as HBase does when a memstore is full: a flush that a
   * client asks for compacts nothing.
   */
  void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name);
    }
    compactIfNeeded();
  }

  /** Looks for a compaction. */
  void compactIfNeeded() throws IOException {
    if (store().needsCompaction() && region().getTableDescriptor().isCompactionEnabled()) {
      for (HRegionServer s : servers.get()) {
        if (!s.getRegions(name).isEmpty()) {
          s.getCompactSplitThread().requestSystemCompaction(region(), "flush");
        }
      }
    }
  }

  /** Leaves one HFile. */
  void compact() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.majorCompact(name);
    }
    Await.until(
        "the compaction of " + name + " is awaited",
        STEP,
        1,
        () -> store().getStorefilesCount() == 1);
  }

  /** Scans, and waits until a view of all HFiles is read: making it may take what scans lose. */
  SortedView awaitView() throws IOException {
    Await.until(
        "the view of " + name + " is awaited",
        STEP,
        1,
        () -> {
          scanSome();
          SortedView view = ((ViewStore) store()).view();
          return view != null && view.runs().size() == store().getStorefilesCount();
        });
    return ((ViewStore) store()).view();
  }

  private void scanSome() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < SCANS; i++) {
      try (RegionScanner scanner = region().getScanner(new Scan().addFamily(F))) {
        scanner.nextRaw(cells);
      }
      cells.clear();
    }
  }

  /** Waits until nothing is to be done for a view. */
  void awaitSettled() throws IOException {
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      Await.until(
          "the view of " + name + " is awaited",
          STEP,
          1,
          () -> spyhop.admin().viewStatus(name).stream().noneMatch(ViewStatus::isPending));
    }
  }

  /**
   * Waits for compactions that run or wait. There may be HFiles enough for another: HBase looks for
   * that with the next flush.
   */
  void awaitQuiet() throws IOException {
    Await.until(
        "compactions of " + name + " are awaited",
        STEP,
        1,
        () -> !isCompacting() && !isAnyQueued());
  }

  private boolean isAnyQueued() {
    return servers.get().stream()
        .anyMatch(s -> s.getCompactSplitThread().getCompactionQueueSize() > 0);
  }

  private boolean isCompacting() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getCompactionState(name) != CompactionState.NONE;
    }
  }

  /** Bytes that flushes and compactions have written. */
  long written() {
    HStore store = store();
    return store.getFlushedOutputFileSize()
        + store.getCompactedCellsSize()
        + store.getMajorCompactedCellsSize();
  }

  HStore store() {
    return region().getStore(F);
  }

  /** The table's region. */
  HRegion region() {
    for (HRegionServer s : servers.get()) {
      for (HRegion r : s.getRegions(name)) {
        return r;
      }
    }
    throw new UncheckedIOException(new IOException(name + " has no region in this JVM"));
  }
}
