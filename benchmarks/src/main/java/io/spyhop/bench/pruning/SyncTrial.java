package io.spyhop.bench.pruning;

import io.spyhop.bench.ClientRpcs;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Synchronises the statistics of a table of 50 regions on two servers, and reads 50 rows, one of
 * each region, with one list of Gets, in turns. A row with a value of chance is written before
 * each, so that there is something to synchronise.
 *
 * <p>What is timed is a query that no region can answer: it waits for one synchronisation, decides
 * and reads nothing.
 */
final class SyncTrial {
  static final TableName TABLE = TableName.valueOf("pruning_sync");
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final byte[] PAYLOAD = Bytes.toBytes("p");
  private static final int REGIONS = 50;
  private static final int ROWS_OF_REGION = 100;
  private static final int PAYLOAD_BYTES = 100;

  /** All values are less, but those of {@link #write(int)}. */
  static final int VALUES = 1_000_000;

  private static final int WARMUPS = 100;
  private static final int REPETITIONS = 300;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long SEED = 50;

  private final Connection connection;
  private final SplittableRandom random = new SplittableRandom(SEED);

  SyncTrial(Connection connection) {
    this.connection = connection;
  }

  /** The measurements of all repetitions. */
  private static final class Times {
    private final List<Double> sync = new ArrayList<>();
    private final List<Double> multiget = new ArrayList<>();
    private final List<Double> rpcs = new ArrayList<>();
  }

  Row run(Progress.Factory progress) throws IOException {
    create();
    Times times = new Times();
    try (Progress shown = progress.start("Synchronising 50 regions", REPETITIONS);
        Connection counted =
            ConnectionFactory.createConnection(ClientRpcs.counted(connection.getConfiguration()));
        Spyhop spyhop = Spyhop.connect(counted);
        Table table = counted.getTable(TABLE)) {
      IndexedTable indexed = spyhop.table(TABLE);
      for (int i = -WARMUPS; i < REPETITIONS; i++) {
        Times taken = i < 0 ? new Times() : times;
        if (i % 2 == 0) {
          multiget(table, taken);
          synchronise(indexed, taken);
        } else {
          synchronise(indexed, taken);
          multiget(table, taken);
        }
        shown.step(i < 0 ? 0 : 1);
      }
    }
    return Row.of("regions", REGIONS)
        .and("servers", servers())
        .and("rpcs", Numbers.median(times.rpcs))
        .and("median_ms", Numbers.median(times.sync))
        .and("multiget_ms", Numbers.median(times.multiget));
  }

  private void create() throws IOException {
    byte[][] splits = Tables.splits(REGIONS, REGIONS, region -> row((int) region, 0));
    try (Admin admin = connection.getAdmin();
        Spyhop spyhop = Spyhop.connect(connection);
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits);
      Placement.even(connection, TABLE);
      spyhop
          .admin()
          .createIndex(
              TABLE,
              IndexDefinition.builder("v")
                  .kind(IndexKind.STATS)
                  .column("d:v")
                  .type(ValueType.INT)
                  .build());
      for (int region = 0; region < REGIONS; region++) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS_OF_REGION; i++) {
          puts.add(put(region, i, random.nextInt(VALUES)));
        }
        table.put(puts);
      }
      admin.flush(TABLE);
    }
  }

  private static byte[] row(int region, int number) {
    return Bytes.add(Bytes.toBytes((short) region), Bytes.toBytes((short) number));
  }

  private Put put(int region, int number, int value) {
    return new Put(row(region, number))
        .addColumn(FAMILY, VALUE, Bytes.toBytes(value))
        .addColumn(FAMILY, PAYLOAD, new byte[PAYLOAD_BYTES]);
  }

  private void write() throws IOException {
    write(random.nextInt(VALUES));
  }

  /** Gives a row a value, when the table is there. */
  void write(int value) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(put(random.nextInt(REGIONS), random.nextInt(ROWS_OF_REGION), value));
    }
  }

  private void synchronise(IndexedTable table, Times times) throws IOException {
    write();
    Query query = Client.query("v = " + VALUES, Way.STRICT);
    long rounds = table.statistics().synchronisations();
    long rpcs = ClientRpcs.count();
    long start = System.nanoTime();
    Client.drain(
        table,
        query,
        row -> {
          throw new IllegalStateException("a row has a value that nobody wrote: " + row);
        });
    times.sync.add((System.nanoTime() - start) / NANOS_PER_MILLI);
    long done = table.statistics().synchronisations() - rounds;
    times.rpcs.add((double) (ClientRpcs.count() - rpcs) / Math.max(1, done));
  }

  private void multiget(Table table, Times times) throws IOException {
    write();
    List<Get> gets = new ArrayList<>();
    for (int region = 0; region < REGIONS; region++) {
      gets.add(new Get(row(region, random.nextInt(ROWS_OF_REGION))));
    }
    long start = System.nanoTime();
    Result[] rows = table.get(gets);
    times.multiget.add((System.nanoTime() - start) / NANOS_PER_MILLI);
    for (Result row : rows) {
      if (row.isEmpty()) {
        throw new IOException("a row that was written is not there");
      }
    }
  }

  private int servers() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().size();
    }
  }
}
