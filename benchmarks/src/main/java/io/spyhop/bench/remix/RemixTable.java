package io.spyhop.bench.remix;

import io.spyhop.bench.Progress;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.store.ViewStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of one region in this JVM, with keys of 16 bytes and values of 100. Not thread-safe. */
final class RemixTable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] Q = Bytes.toBytes("q");
  private static final int VALUE = 100;
  private static final long FLUSH_NEVER = 1L << 32;
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(10);
  private static final long STEP = TimeUnit.MILLISECONDS.toNanos(50);

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

  /** The key of a row. */
  static byte[] key(long row) {
    return Bytes.toBytes(String.format(Locale.ROOT, "user%012d", row));
  }

  /** Puts each row into one of the HFiles, chosen at random. */
  void load(int rows, int files, Progress.Factory progress) throws IOException {
    byte[] file = new byte[rows];
    Random random = new Random(5);
    for (int i = 0; i < rows; i++) {
      file[i] = (byte) random.nextInt(files);
    }
    try (Progress bar = progress.start("load " + name, rows)) {
      for (int f = 0; f < files; f++) {
        try (BufferedMutator writer = connection.getBufferedMutator(name)) {
          for (int i = 0; i < rows; i++) {
            if (file[i] == f) {
              writer.mutate(put(i, i));
              bar.step(1);
            }
          }
        }
        flush();
      }
    }
  }

  static Put put(long row, long seed) {
    byte[] value = new byte[VALUE];
    new Random(seed).nextBytes(value);
    return new Put(key(row)).addColumn(F, Q, value).setDurability(Durability.SKIP_WAL);
  }

  void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name);
    }
  }

  /** Leaves one HFile. */
  void compact() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.majorCompact(name);
    }
    await("compaction of " + name, () -> store().getStorefilesCount() == 1);
  }

  /** Waits until a view of all HFiles is read. */
  SortedView awaitView() throws IOException {
    await(
        "view of " + name,
        () -> {
          SortedView view = ((ViewStore) store()).view();
          return view != null && view.runs().size() == store().getStorefilesCount();
        });
    return ((ViewStore) store()).view();
  }

  void awaitQuiet() throws IOException {
    await("compactions of " + name, () -> !isCompacting() && !store().needsCompaction());
  }

  private boolean isCompacting() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getCompactionState(name) != CompactionState.NONE;
    }
  }

  /** Something that will be so. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(String what, Condition reached) throws IOException {
    long end = System.nanoTime() + PATIENCE;
    while (!reached.holds()) {
      if (System.nanoTime() > end) {
        throw new IOException("waited ten minutes for the " + what);
      }
      LockSupport.parkNanos(STEP);
    }
  }

  private HStore store() {
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
