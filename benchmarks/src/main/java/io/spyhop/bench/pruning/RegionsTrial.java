package io.spyhop.bench.pruning;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.client.TableStatistics;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures on a table of a cluster as {@link SimulatedTrial} does: STRICT queries for values that
 * no region has, after the first one, with writes to some regions between them.
 */
final class RegionsTrial {
  private static final TableName TABLE = TableName.valueOf("pruning_regions");
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS_OF_REGION = 30;
  private static final int VALUES = 1 << 20;
  private static final int QUERIES = 201;
  private static final double MEGABYTE = 1 << 20;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long SEED = 72;

  private final Connection connection;
  private final int regions;
  private final int bloomBits;
  private final SplittableRandom random = new SplittableRandom(SEED);

  RegionsTrial(Connection connection, int regions, int bloomBits) {
    this.connection = connection;
    this.regions = regions;
    this.bloomBits = bloomBits;
  }

  /** One row for each number of regions that are written between two queries. */
  List<Row> run(Progress.Factory progress, List<Integer> written) throws IOException {
    create();
    List<Row> rows = new ArrayList<>();
    try (Progress shown = progress.start("Asking " + regions + " regions", written.size());
        Spyhop spyhop = Spyhop.connect(connection);
        Table table = connection.getTable(TABLE)) {
      IndexedTable indexed = spyhop.table(TABLE);
      double before = SimulatedTrial.heap();
      double first = ask(indexed, 0);
      ask(indexed, 1);
      double heap = SimulatedTrial.heap() - before;
      for (int count : written) {
        rows.add(
            measured(indexed, table, count)
                .and("cache_mb", Numbers.rounded(indexed.statistics().heapBytes() / MEGABYTE))
                .and("heap_mb", Numbers.rounded(heap / MEGABYTE))
                .and("first_ms", Numbers.rounded(first)));
        shown.step(1);
      }
    }
    Tables.drop(connection, TABLE);
    return rows;
  }

  private void create() throws IOException {
    byte[][] splits = Tables.splits(regions, regions, region -> row((int) region, 0));
    try (Admin admin = connection.getAdmin();
        Spyhop spyhop = Spyhop.connect(connection);
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits);
      Placement.even(connection, TABLE);
      List<IndexDefinition> definitions = new ArrayList<>();
      for (int c = 0; c < SimulatedTrial.COLUMNS; c++) {
        definitions.add(
            IndexDefinition.builder("c" + c)
                .kind(IndexKind.STATS)
                .column("d:c" + c)
                .type(ValueType.LONG)
                .bloom(new BloomSize(bloomBits))
                .build());
      }
      spyhop.admin().createIndexes(TABLE, definitions);
      for (int region = 0; region < regions; region++) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS_OF_REGION; i++) {
          puts.add(put(region, i));
        }
        table.put(puts);
      }
      admin.flush(TABLE);
    }
  }

  private static byte[] row(int region, int number) {
    return Bytes.add(Bytes.toBytes(region), Bytes.toBytes((short) number));
  }

  private Put put(int region, int number) {
    Put put = new Put(row(region, number));
    for (int c = 0; c < SimulatedTrial.COLUMNS; c++) {
      put.addColumn(FAMILY, Bytes.toBytes("c" + c), Bytes.toBytes(2L * random.nextInt(VALUES)));
    }
    return put;
  }

  private Row measured(IndexedTable indexed, Table table, int written) throws IOException {
    List<Double> millis = new ArrayList<>();
    TableStatistics before = indexed.statistics();
    for (int i = 0; i < QUERIES; i++) {
      for (int w = 0; w < written; w++) {
        table.put(put(random.nextInt(regions), random.nextInt(ROWS_OF_REGION)));
      }
      millis.add(ask(indexed, i));
    }
    TableStatistics after = indexed.statistics();
    long bytes =
        after.bytesSent() + after.bytesReceived() - before.bytesSent() - before.bytesReceived();
    return Row.of("regions", regions)
        .and("columns", SimulatedTrial.COLUMNS)
        .and("simulated", false)
        .and("written", written)
        .and("read", (after.regionsRead() - before.regionsRead()) / (double) QUERIES)
        .and("bytes_per_query", Numbers.rounded(bytes / (double) QUERIES))
        .and("ms_per_query", Numbers.rounded(Numbers.median(millis)));
  }

  /** Milliseconds of a query for an odd value, which no row has. */
  private double ask(IndexedTable table, int query) throws IOException {
    String where = "c" + query % 2 + " = " + (2L * random.nextInt(VALUES) + 1);
    Query strict = Client.query(where, Way.STRICT);
    AtomicLong rows = new AtomicLong();
    long start = System.nanoTime();
    Client.drain(table, strict, row -> rows.incrementAndGet());
    double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
    if (rows.get() > 0) {
      throw new IOException(rows + " rows have a value that nobody wrote");
    }
    return millis;
  }
}
