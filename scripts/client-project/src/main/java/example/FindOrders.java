package example;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes a table with an index of each kind, writes orders, and finds some by value. */
public final class FindOrders {
  private static final TableName ORDERS = TableName.valueOf("client_orders");
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS = 1_000;

  private FindOrders() {}

  /** Takes ZooKeeper's address. */
  public static void main(String[] args) throws Exception {
    try {
      Class.forName("org.apache.hadoop.hbase.regionserver.HRegionServer");
      throw new IllegalStateException("hbase-server is on the class path");
    } catch (ClassNotFoundException expected) {
      // The client alone is.
    }
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Spyhop spyhop = Spyhop.connect(connection)) {
      create(connection, spyhop);
      write(connection);
      check(spyhop, "price BETWEEN 100 AND 109", 10);
      check(spyhop, "customer = 'c7'", ROWS / 10);
      check(spyhop, "day >= 360 AND price < 500", 2 * 5 - 5);
    }
    System.out.println("all found");
  }

  private static void create(Connection connection, Spyhop spyhop) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(ORDERS)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    spyhop
        .admin()
        .createIndexes(
            ORDERS,
            List.of(
                index("price", ValueType.LONG, IndexKind.LOCAL),
                index("customer", ValueType.STRING, IndexKind.GLOBAL),
                index("day", ValueType.INT, IndexKind.STATS)));
    spyhop.admin().waitUntilActive(ORDERS, Duration.ofMinutes(2));
  }

  private static IndexDefinition index(String column, ValueType type, IndexKind kind) {
    return IndexDefinition.builder(column).column("d:" + column).type(type).kind(kind).build();
  }

  private static void write(Connection connection) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(Bytes.toBytes(String.format("order%05d", i)))
              .addColumn(FAMILY, Bytes.toBytes("price"), Bytes.toBytes((long) i))
              .addColumn(FAMILY, Bytes.toBytes("customer"), Bytes.toBytes("c" + i % 10))
              .addColumn(FAMILY, Bytes.toBytes("day"), Bytes.toBytes(i % 365)));
    }
    try (Table table = connection.getTable(ORDERS)) {
      table.put(puts);
    }
  }

  private static void check(Spyhop spyhop, String where, int expected) throws Exception {
    int found = 0;
    try (RowCursor rows = spyhop.table(ORDERS).query(Query.where(where))) {
      for (Result row : rows) {
        found += row.isEmpty() ? 0 : 1;
      }
    }
    if (found != expected) {
      throw new IllegalStateException(where + ": " + found + " rows, not " + expected);
    }
    System.out.println(where + ": " + found + " rows");
  }
}
