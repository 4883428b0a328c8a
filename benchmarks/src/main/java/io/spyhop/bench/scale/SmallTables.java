package io.spyhop.bench.scale;

import io.spyhop.bench.Progress;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Tables of many regions with a few rows each, flushed with their indexes. Not thread-safe. */
final class SmallTables {
  private static final Duration ACTIVE_LIMIT = Duration.ofMinutes(20);
  private static final int ROWS = 2;
  private static final long POLL_MILLIS = 100;

  private final Connection connection;
  private final int regions;
  private final Beside beside;
  private final List<IndexDefinition> indexes;
  private final List<TableName> names;

  /** Other tables and indexes. */
  enum Beside {
    NOTHING,
    /** As many tables and families of plain HBase as global indexes would have. */
    PLAIN_TABLES,
    /** Five indexes of each table, two of them global. */
    INDEXES
  }

  /**
   * Tables that are not there yet.
   *
   * @param regions of all of them together, a multiple of their number
   */
  SmallTables(Connection connection, int tables, int regions, Beside beside) {
    this.connection = connection;
    this.regions = regions / tables;
    this.beside = beside;
    this.indexes = beside == Beside.INDEXES ? five() : List.of();
    this.names = IntStream.range(0, tables).mapToObj(i -> TableName.valueOf("small" + i)).toList();
  }

  private static List<IndexDefinition> five() {
    return Stream.concat(OrdersTable.indexes().stream(), globals().stream()).toList();
  }

  private static List<IndexDefinition> globals() {
    return List.of(
        global("custkey", "d:custkey", ValueType.LONG),
        global("clerk", "d:clerk", ValueType.STRING));
  }

  private static IndexDefinition global(String name, String column, ValueType type) {
    return IndexDefinition.builder(name).kind(IndexKind.GLOBAL).column(column).type(type).build();
  }

  /** How many indexes a table has. */
  int indexes() {
    return indexes.size();
  }

  /** How many plain tables there are beside each table. */
  int plainTables() {
    return beside == Beside.PLAIN_TABLES ? globals().size() : 0;
  }

  /** Creates the tables, and returns when all their indexes are active. */
  void create(Progress.Factory progress) throws IOException {
    String task = names.size() + " tables, " + indexes.size() + " indexes";
    try (Admin admin = connection.getAdmin();
        Progress shown = progress.start(task, names.size())) {
      for (TableName name : names) {
        TableDescriptor table = OrdersTable.keptDescriptor(name);
        for (IndexDefinition index : indexes) {
          table = IndexSchema.withIndex(table, index);
        }
        admin.createTable(table, splits());
        fill(name);
        for (int i = 0; i < plainTables(); i++) {
          createPlain(admin, TableName.valueOf(name.getNameAsString() + "." + i));
        }
        shown.step(1);
      }
      awaitActive();
      flush(admin);
      awaitActive();
    }
  }

  /** A table of plain HBase in the shape of an index's, with its rows. */
  private void createPlain(Admin admin, TableName name) throws IOException {
    List<byte[]> families = List.of(IndexTable.ENTRIES, IndexTable.CONTROL);
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(name);
    families.forEach(f -> descriptor.setColumnFamily(ColumnFamilyDescriptorBuilder.of(f)));
    admin.createTable(descriptor.build());
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < regions * ROWS; row++) {
      Put put = new Put(Bytes.toBytes(row));
      families.forEach(f -> put.addColumn(f, IndexTable.QUALIFIER, OrdersTable.CLERK));
      puts.add(put);
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
    admin.flush(name);
  }

  /**
   * HBase flushes tables that nobody writes within the hour. Not beside a flush that has an index
   * built: of two at the same time HBase may never end the other one.
   */
  private void flush(Admin admin) throws IOException {
    for (TableName name : names) {
      admin.flush(name);
      for (IndexDefinition index : indexes) {
        if (index.kind() == IndexKind.GLOBAL) {
          admin.flush(IndexTable.nameOf(name, index.name()));
        }
      }
    }
  }

  private byte[][] splits() {
    return IntStream.range(1, regions).mapToObj(Bytes::toBytes).toArray(byte[][]::new);
  }

  private void fill(TableName name) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int region = 0; region < regions; region++) {
      for (byte i = 0; i < ROWS; i++) {
        long number = (long) region * ROWS + i;
        puts.add(
            new Put(Bytes.add(Bytes.toBytes(region), new byte[] {i}))
                .addColumn(OrdersTable.FAMILY, OrdersTable.TOTALPRICE, Bytes.toBytes(1.0 * number))
                .addColumn(OrdersTable.FAMILY, OrdersTable.ORDERDATE, Bytes.toBytes("1997-03-10"))
                .addColumn(OrdersTable.FAMILY, OrdersTable.ORDERPRIORITY, Bytes.toBytes("5-LOW"))
                .addColumn(OrdersTable.FAMILY, OrdersTable.CLERK, Bytes.toBytes("Clerk" + number))
                .addColumn(OrdersTable.FAMILY, OrdersTable.CUSTKEY, Bytes.toBytes(number)));
      }
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  /** Returns when all regions are open on servers that run, whatever hbase:meta still says. */
  void awaitOnline() throws IOException {
    long deadline = System.nanoTime() + ACTIVE_LIMIT.toNanos();
    try (Admin admin = connection.getAdmin()) {
      while (open(admin) < (long) regions * names.size()) {
        if (System.nanoTime() > deadline) {
          throw new IOException(open(admin) + " regions are open after " + ACTIVE_LIMIT);
        }
        pause();
      }
    }
  }

  private long open(Admin admin) throws IOException {
    long open = 0;
    for (ServerName server : admin.getRegionServers()) {
      open += admin.getRegions(server).stream().filter(r -> names.contains(r.getTable())).count();
    }
    return open;
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting for tables", e);
    }
  }

  /** Returns when all indexes of all tables are active. */
  void awaitActive() throws IOException {
    if (indexes.isEmpty()) {
      return;
    }
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      for (TableName name : names) {
        spyhop.admin().waitUntilActive(name, ACTIVE_LIMIT);
      }
    }
  }
}
