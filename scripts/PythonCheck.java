import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.RowReader;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The other side of {@code scripts/python-check}: {@code load ZOOKEEPER ROWS} fills a table, {@code
 * csv ZOOKEEPER FILE} writes its rows as CSV, and prints how many seconds that took.
 */
public final class PythonCheck {
  private static final TableName TABLE = TableName.valueOf("million");
  private static final byte[] D = Bytes.toBytes("d");

  private PythonCheck() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_QUORUM, args[1]);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Spyhop spyhop = Spyhop.connect(connection)) {
      if (args[0].equals("load")) {
        load(connection, spyhop, Long.parseLong(args[2]));
      } else {
        write(spyhop.table(TABLE), Path.of(args[2]));
      }
    }
  }

  private static void load(Connection connection, Spyhop spyhop, long rows) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      List<byte[]> splits = new ArrayList<>();
      for (long i = 1; i < 4; i++) {
        splits.add(key(rows * i / 4));
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .build(),
          splits.toArray(new byte[0][]));
      try (BufferedMutator to = connection.getBufferedMutator(TABLE)) {
        for (long i = 0; i < rows; i++) {
          to.mutate(row(i));
        }
      }
      admin.flush(TABLE);
    }
    Map<String, ValueType> columns =
        Map.of(
            "id", ValueType.LONG,
            "price", ValueType.DOUBLE,
            "name", ValueType.STRING,
            "day", ValueType.DATE);
    List<IndexDefinition> indexes = new ArrayList<>();
    columns.forEach(
        (name, type) ->
            indexes.add(IndexDefinition.builder(name).column("d:" + name).type(type).build()));
    spyhop.admin().createIndexes(TABLE, indexes);
    spyhop.admin().waitUntilActive(TABLE, Duration.ofMinutes(10));
  }

  private static byte[] key(long i) {
    return Bytes.toBytes(String.format("row%09d", i));
  }

  /** Every tenth has no name. */
  private static Put row(long i) {
    Put put =
        new Put(key(i))
            .addColumn(D, Bytes.toBytes("id"), Bytes.toBytes(i))
            .addColumn(D, Bytes.toBytes("price"), Bytes.toBytes(i / 100.0))
            .addColumn(
                D, Bytes.toBytes("day"), Bytes.toBytes(LocalDate.ofEpochDay(i % 10_000).toString()));
    return i % 10 == 0
        ? put
        : put.addColumn(D, Bytes.toBytes("name"), Bytes.toBytes("name" + i % 1_000));
  }

  private static void write(IndexedTable table, Path file) throws Exception {
    long begin = System.nanoTime();
    RowReader reader = table.reader();
    try (RowCursor rows = table.query(Query.all());
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      out.println("rowkey,day,id,name,price");
      for (Result row : rows) {
        out.println(
            Bytes.toString(row.getRow())
                + ","
                + reader.getDate(row, "day")
                + ","
                + reader.getLong(row, "id")
                + ","
                + Objects.requireNonNullElse(reader.getString(row, "name"), "")
                + ","
                + reader.getDouble(row, "price"));
      }
    }
    System.out.println((System.nanoTime() - begin) / 1e9);
  }
}
