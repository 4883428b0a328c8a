package io.spyhop.bench.costs;

import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of one region with rows of nine cells and an indexed number {@code n}, of which no two
 * rows have the same, and neighbours by number are no neighbours by row; and one more family.
 */
final class CostsTable {
  /** The family with the indexed column. */
  static final byte[] FAMILY = Bytes.toBytes("d");

  /** The other family. */
  static final byte[] OTHER_FAMILY = Bytes.toBytes("e");

  private static final byte[] NUMBER = Bytes.toBytes("n");
  private static final int FILLERS = 8;
  private static final byte[] FILLER = new byte[12];
  private static final int BATCH = 1_000;
  private static final long NEVER_FLUSHED = 1L << 40;
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(10);

  /** Coprime to every count of rows that is smaller, as it is prime. */
  private static final long STRIDE = 2_147_483_647L;

  private final Connection connection;
  private final TableName name;
  private final long rows;

  CostsTable(Connection connection, String name, long rows) {
    this.connection = connection;
    this.name = TableName.valueOf(name);
    this.rows = rows;
  }

  TableName name() {
    return name;
  }

  /**
   * Makes and fills the table, and waits until all is indexed.
   *
   * @param files into how many HFiles, each of which reaches from the first row to the last
   */
  void load(Spyhop spyhop, int files, Progress.Factory progress) throws IOException {
    try (Admin admin = connection.getAdmin();
        PutLoader loader = new PutLoader(connection);
        Progress steps = progress.start("Writing " + name, rows)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER_FAMILY))
              .setCompactionEnabled(false)
              .setMemStoreFlushSize(NEVER_FLUSHED)
              .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
              .build());
      spyhop
          .admin()
          .createIndexes(
              name,
              List.of(IndexDefinition.builder("n").column("d:n").type(ValueType.LONG).build()));
      for (int file = 0; file < files; file++) {
        loader.load(name, source(file, files), steps);
        admin.flush(name);
      }
    }
    spyhop.admin().waitUntilActive(name, INDEX_LIMIT);
  }

  private PutLoader.Source source(int first, int step) {
    AtomicLong next = new AtomicLong();
    return () -> {
      List<Put> puts = new ArrayList<>();
      for (long i = next.getAndAdd(BATCH), end = i + BATCH; i < end; i++) {
        long row = first + i * step;
        if (row < rows) {
          puts.add(put(row));
        }
      }
      return puts;
    };
  }

  private Put put(long row) {
    Put put = new Put(Bytes.toBytes("%012d".formatted(row)));
    put.addColumn(FAMILY, NUMBER, Bytes.toBytes(row * (STRIDE % rows) % rows));
    for (int i = 0; i < FILLERS; i++) {
      put.addColumn(FAMILY, Bytes.toBytes("o" + i), FILLER);
    }
    return put.addColumn(OTHER_FAMILY, NUMBER, FILLER);
  }
}
