import io.spyhop.client.IndexStatus;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.client.SpyhopNotInstalledException;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The client's part of scripts/install-check: one command per call, an exception if it fails. */
public final class InstallCheck {
  private static final TableName NAME = TableName.valueOf("install");

  /** The table of the README's commands. */
  private static final TableName ORDERS = TableName.valueOf("orders");

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private InstallCheck() {}

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      run(connection, admin, Arrays.asList(args));
    }
  }

  private static void run(Connection connection, Admin admin, List<String> args) throws Exception {
    switch (args.get(0)) {
      case "servers" -> awaitServers(admin, Integer.parseInt(args.get(1)));
      case "create" -> create(connection, admin);
      case "put" -> put(connection, number(args.get(1)), number(args.get(2)), number(args.get(3)));
      case "scan" -> requireRows(scan(connection, number(args.get(1))), number(args.get(2)));
      case "index" -> index(connection);
      case "query" -> query(connection, number(args.get(1)), number(args.get(2)), args.get(3));
      case "refused" -> refused(connection, number(args.get(1)));
      case "active" -> active(connection);
      case "drop" -> drop(connection);
      case "plain" -> requirePlain(admin);
      default -> throw new IllegalArgumentException(args.toString());
    }
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private static void awaitServers(Admin admin, int count) throws Exception {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        if (admin.getRegionServers().size() == count && isAssigned(admin)) {
          return;
        }
      } catch (IOException e) {
        System.err.println("asked again: " + e);
      }
      if (System.nanoTime() > until) {
        throw new IllegalStateException("not " + count + " region servers: see their logs");
      }
      Thread.sleep(500);
    }
  }

  /** Whether every region of every table has a server that lives. */
  private static boolean isAssigned(Admin admin) throws IOException {
    return admin.getClusterMetrics().getRegionStatesInTransition().isEmpty();
  }

  private static void create(Connection connection, Admin admin) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        new byte[][] {row(250), row(500), row(750)});
    byte[] d = Bytes.toBytes("d");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(ORDERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(d))
            .build());
    try (Table orders = connection.getTable(ORDERS)) {
      orders.put(new Put(row(1)).addColumn(d, Bytes.toBytes("totalprice"), Bytes.toBytes(2.5)));
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%03d", i));
  }

  /** Rows from (inclusive) to (exclusive) get a value. */
  private static void put(Connection connection, int from, int to, long value) throws IOException {
    try (Table table = connection.getTable(NAME);
        Admin admin = connection.getAdmin()) {
      for (int i = from; i < to; i++) {
        table.put(new Put(row(i)).addColumn(F, V, Bytes.toBytes(value)));
      }
      admin.flush(NAME);
    }
  }

  private static TreeSet<String> scan(Connection connection, long value) throws IOException {
    TreeSet<String> rows = new TreeSet<>();
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result r : scanner) {
        if (Bytes.toLong(r.getValue(F, V)) == value) {
          rows.add(Bytes.toString(r.getRow()));
        }
      }
    }
    return rows;
  }

  private static void requireRows(TreeSet<String> rows, int count) {
    if (rows.size() != count) {
      throw new IllegalStateException(rows.size() + " rows, not " + count + ": " + rows);
    }
  }

  private static void index(Connection connection) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      for (IndexKind kind : List.of(IndexKind.GLOBAL, IndexKind.LOCAL)) {
        String name = kind == IndexKind.GLOBAL ? "v" : "w";
        spyhop
            .admin()
            .createIndex(
                NAME,
                IndexDefinition.builder(name)
                    .kind(kind)
                    .column("f:v")
                    .type(ValueType.LONG)
                    .build());
      }
      spyhop.admin().waitUntilActive(NAME, PATIENCE);
    }
  }

  /**
   * @param how "index" if the global index must answer, "scan" if it must not
   */
  private static void query(Connection connection, long value, int count, String how)
      throws IOException {
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      Query query = Query.where("v = " + value);
      TreeSet<String> rows = new TreeSet<>();
      try (RowCursor cursor = spyhop.table(NAME).query(query)) {
        cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
      }
      requireRows(rows, count);
      if (!rows.equals(scan(connection, value))) {
        throw new IllegalStateException("the query gives " + rows);
      }
      boolean indexed =
          spyhop.table(NAME).explain(query).global().filter(g -> g.reason().isEmpty()).isPresent();
      if (!how.equals("any") && indexed != how.equals("index")) {
        throw new IllegalStateException(spyhop.table(NAME).explain(query).toText());
      }
    }
  }

  /** Servers without the jar cannot read conditions; the client says that it is the jar. */
  private static void refused(Connection connection, long value) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(connection);
        RowCursor cursor = spyhop.table(NAME).query(Query.where("v = " + value))) {
      cursor.forEach(r -> System.err.println("came without the jar: " + r));
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof SpyhopNotInstalledException named
          && named.getMessage().matches("region server .* lacks Spyhop's jar.*")) {
        return;
      }
      throw e;
    }
    throw new IllegalStateException("a query was answered without the jar");
  }

  private static void active(Connection connection) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      spyhop.admin().waitUntilActive(NAME, PATIENCE);
      for (IndexStatus s : spyhop.admin().status(NAME)) {
        if (!s.errors().isEmpty()) {
          throw new IllegalStateException(s.toString());
        }
      }
      if (spyhop.admin().verify(NAME, "v", false).missing() > 0) {
        throw new IllegalStateException("entries are missing");
      }
    }
  }

  private static void drop(Connection connection) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(connection)) {
      spyhop.admin().dropIndex(NAME, "v");
      spyhop.admin().dropIndex(NAME, "w");
    }
  }

  /** No table is Spyhop's, and no descriptor speaks of it. */
  private static void requirePlain(Admin admin) throws IOException {
    admin
        .listTableDescriptors()
        .forEach(
            t -> {
              if (t.toString().contains("spyhop")) {
                throw new IllegalStateException("left behind: " + t);
              }
            });
  }
}
