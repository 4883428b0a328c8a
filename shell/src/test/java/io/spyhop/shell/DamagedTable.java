package io.spyhop.shell;

import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.global.ControlRows;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/** A table whose global index lacks an entry and has one too many. Stateless. */
final class DamagedTable {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("n");
  private static final long TIMESTAMP = 1_000;

  private DamagedTable() {}

  static void make(Connection connection, String name) throws IOException {
    TableName table = TableName.valueOf(name);
    try (Admin admin = connection.getAdmin();
        Spyhop spyhop = Spyhop.connect(connection)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      spyhop
          .admin()
          .createIndex(
              table,
              IndexDefinition.builder("n")
                  .kind(IndexKind.GLOBAL)
                  .column("d:n")
                  .type(ValueType.TEXT_LONG)
                  .build());
      spyhop.admin().waitUntilActive(table, Duration.ofMinutes(1));
    }
    awaitLooked(connection, IndexTable.nameOf(table, "n"));
    damage(connection, table);
  }

  /** A new index's entries are looked at once; what dangles by then is deleted. */
  private static void awaitLooked(Connection connection, TableName entries) throws IOException {
    try (Table index = connection.getTable(entries)) {
      Awaitility.await("all entries of " + entries + " to be looked at")
          .atMost(Duration.ofMinutes(1))
          .until(() -> index.get(ControlRows.Look.get()).isEmpty());
    }
  }

  private static void damage(Connection connection, TableName name) throws IOException {
    TableName entries = IndexTable.nameOf(name, "n");
    try (Table table = connection.getTable(name);
        Table index = connection.getTable(entries)) {
      table.put(
          new Put(Bytes.toBytes("there")).addColumn(FAMILY, QUALIFIER, TIMESTAMP, value("7")));
      index.delete(entry("7", "there").delete(fence(connection, entries)));
      index.put(entry("8", "absent").put(false));
    }
  }

  private static byte[] value(String text) {
    return Bytes.toBytes(text);
  }

  private static Entry entry(String text, String row) {
    byte[] stored = value(text);
    byte[] key = ValueType.TEXT_LONG.codec().key(stored, 0, stored.length).bytes();
    return new Entry(key, Bytes.toBytes(row), TIMESTAMP);
  }

  /** As servers delete entries: this JVM's clock is the server's. */
  private static ServerTime fence(Connection connection, TableName index) throws IOException {
    try (RegionLocator regions = connection.getRegionLocator(index)) {
      String server = regions.getRegionLocation(new byte[0]).getServerName().toString();
      return new ServerTime(server, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
    }
  }
}
