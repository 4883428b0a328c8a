package io.spyhop.bench.scale;

import io.spyhop.bench.Progress;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with a global index, and reads of its values, of which each is in one row. */
final class PointTable implements Closeable {
  static final TableName NAME = TableName.valueOf("points");
  private static final Duration ACTIVE_LIMIT = Duration.ofMinutes(20);
  private static final String INDEX = "custkey";
  private static final int ROWS = 10;
  private static final int BATCH = 10_000;

  private final Connection connection;
  private final int regions;
  private final Spyhop spyhop;

  /** A table that is not there yet. */
  PointTable(Connection connection, int regions) {
    this.connection = connection;
    this.regions = regions;
    this.spyhop = Spyhop.connect(connection);
  }

  /** Creates it, and fills it when its index is active: building would flush each region. */
  void create(Progress.Factory progress) throws IOException {
    IndexDefinition index =
        IndexDefinition.builder(INDEX)
            .kind(IndexKind.GLOBAL)
            .column("d:custkey")
            .type(ValueType.LONG)
            .build();
    byte[][] splits = IntStream.range(1, regions).mapToObj(Bytes::toBytes).toArray(byte[][]::new);
    try (Admin admin = connection.getAdmin();
        Progress shown = progress.start("a table of " + regions + " regions", 2)) {
      await(
          admin.createTableAsync(
              IndexSchema.withIndex(OrdersTable.descriptor(NAME), index), splits));
      shown.step(1);
      spyhop.admin().waitUntilActive(NAME, ACTIVE_LIMIT);
      fill();
      shown.step(1);
    }
  }

  /** Longer than HBase's client waits by itself: very many regions take their time. */
  private static void await(Future<Void> creation) throws IOException {
    try {
      creation.get(ACTIVE_LIMIT.toMinutes(), TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while a table was created", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("table " + NAME + " was not created", e);
    }
  }

  private void fill() throws IOException {
    try (Table table = connection.getTable(NAME)) {
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < regions * ROWS; row++) {
        puts.add(
            new Put(key(row))
                .addColumn(OrdersTable.FAMILY, OrdersTable.CUSTKEY, Bytes.toBytes(row + 0L)));
        if (puts.size() == BATCH) {
          table.put(puts);
          puts.clear();
        }
      }
      table.put(puts);
    }
  }

  private static byte[] key(long value) {
    return Bytes.add(Bytes.toBytes((int) (value / ROWS)), new byte[] {(byte) (value % ROWS)});
  }

  /** A value in the region with a number, from 0, which begins anew after the last region. */
  long valueIn(int region) {
    return (long) (region % regions) * ROWS;
  }

  /** A value by chance. */
  long anyValue() {
    return ThreadLocalRandom.current().nextLong((long) regions * ROWS);
  }

  /**
   * Asks the index for a value.
   *
   * @throws IOException also if the answer is not the one row that has it
   */
  void query(long value) throws IOException {
    Query query = Query.where(INDEX + " = " + value).hint(INDEX);
    List<Result> found = new ArrayList<>();
    try (RowCursor rows = spyhop.table(NAME).query(query)) {
      rows.forEach(found::add);
    }
    require(value, found);
  }

  /** Reads the row that has a value, by its key; throws what {@link #query} throws. */
  void get(long value) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      require(value, List.of(table.get(new Get(key(value)))));
    }
  }

  private static void require(long value, List<Result> found) throws IOException {
    if (found.size() != 1
        || found.get(0).isEmpty()
        || Bytes.toLong(found.get(0).getValue(OrdersTable.FAMILY, OrdersTable.CUSTKEY)) != value) {
      throw new IOException("the answer for " + value + " is not its row: " + found);
    }
  }

  @Override
  public void close() {
    spyhop.close();
  }
}
