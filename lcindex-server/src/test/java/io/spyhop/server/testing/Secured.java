package io.spyhop.server.testing;

import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** Clusters that check what users may do, and users. */
public final class Secured {
  private static final List<String> PATHS = List.of("index", "price", "name", "amount", "auto");

  private Secured() {}

  /**
   * Starts a cluster with access control.
   *
   * @param before a coprocessor of regions that comes before access control, or empty
   * @param after one that comes after it, which the master runs too, or empty
   */
  public static TestCluster start(String before, String after) throws Exception {
    return start(1, before, after);
  }

  /** The same with several region servers. */
  public static TestCluster start(int servers, String before, String after) throws Exception {
    return start(servers, before, after, conf -> {});
  }

  /** The same with more settings. */
  public static TestCluster start(
      int servers, String before, String after, Consumer<Configuration> settings) throws Exception {
    TestCluster cluster =
        TestCluster.start(
            servers,
            conf -> {
              secure(conf, before, after);
              settings.accept(conf);
            });
    cluster.util().waitTableAvailable(PermissionStorage.ACL_TABLE_NAME);
    return cluster;
  }

  private static void secure(Configuration conf, String before, String after) {
    String access = AccessController.class.getName();
    add(conf, "hbase.coprocessor.master.classes", access, after);
    add(conf, "hbase.coprocessor.region.classes", before, access, after);
    add(conf, "hbase.coprocessor.regionserver.classes", access);
    conf.setBoolean("hbase.security.authorization", true);
    conf.setInt("hfile.format.version", 3);
  }

  private static void add(Configuration conf, String key, String... classes) {
    List<String> all = new ArrayList<>(conf.getStringCollection(key));
    for (String c : classes) {
      if (!c.isEmpty()) {
        all.add(c);
      }
    }
    conf.setStrings(key, all.toArray(new String[0]));
  }

  /** A user of that name. */
  public static User user(TestCluster cluster, String name) {
    Configuration conf = new Configuration(cluster.util().getConfiguration());
    return User.createUserForTesting(conf, name, new String[0]);
  }

  /** Work that may fail in any way, as HBase's security clients do. */
  @FunctionalInterface
  public interface Work {
    /** Does it. */
    void run() throws Throwable;
  }

  /** Tries until it succeeds. */
  public static void eventually(String what, Work work) {
    await(what)
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> {
              try {
                work.run();
                return true;
              } catch (Throwable e) {
                throw new IOException(what, e);
              }
            });
  }

  /** Work with a table. */
  @FunctionalInterface
  public interface TableWork<T> {
    /** Does it. */
    T with(Connection connection, Table table) throws Exception;
  }

  /** Works as a user. */
  public static <T> T as(TestCluster cluster, User user, TableName name, TableWork<T> work)
      throws IOException, InterruptedException {
    return user.runAs(
        (PrivilegedExceptionAction<T>)
            () -> {
              Configuration conf = new Configuration(cluster.util().getConfiguration());
              try (Connection c = ConnectionFactory.createConnection(conf);
                  Table t = c.getTable(name)) {
                return work.with(c, t);
              }
            });
  }

  /**
   * What a user gets from a query of the library.
   *
   * @return the cells as {@code row/column@timestamp}, or the class of the exception
   */
  public static List<String> queried(
      TestCluster cluster, User user, TableName name, UnaryOperator<Query> how, String where)
      throws IOException, InterruptedException {
    return as(
        cluster,
        user,
        name,
        (c, table) -> {
          List<String> cells = new ArrayList<>();
          try (Spyhop spyhop = Spyhop.connect(c);
              RowCursor rows = spyhop.table(name).query(how.apply(Query.where(where)))) {
            rows.forEach(r -> Arrays.stream(r.rawCells()).map(Secured::show).forEach(cells::add));
          } catch (DoNotRetryIOException | IllegalArgumentException e) {
            cells.add(e.getClass().getSimpleName());
          }
          return cells;
        });
  }

  /** One call to a region's server, as the client's scanners make it. */
  public static ScanResponse scan(
      TestCluster cluster, User user, HRegion region, ScanRequest request)
      throws IOException, InterruptedException {
    return as(
        cluster,
        user,
        region.getTableDescriptor().getTableName(),
        (c, t) -> {
          ClientService.BlockingInterface server =
              ((ClusterConnection) c).getClient(cluster.serverOf(region));
          try {
            return server.scan(null, request);
          } catch (ServiceException e) {
            throw ProtobufUtil.handleRemoteException(e);
          }
        });
  }

  /**
   * What a user gets along every path, which must be the same.
   *
   * @return the cells as {@code row/column=value}, or the class of the exception
   */
  public static List<String> agreed(TestCluster cluster, User user, TableName name, Scan scan)
      throws IOException, InterruptedException {
    return as(
        cluster,
        user,
        name,
        (c, table) -> {
          List<String> plain = answer(table, scan, Attributes.PATH_SCAN);
          for (String path : PATHS) {
            List<String> answer = answer(table, scan, path);
            if (!answer.equals(plain)) {
              throw new AssertionError(
                  user + " gets along '" + path + "' " + answer + ", from the scan " + plain);
            }
          }
          return plain;
        });
  }

  private static List<String> answer(Table table, Scan scan, String path) throws IOException {
    Scan hinted = new Scan(scan);
    hinted.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(hinted)) {
      for (Result r = scanner.next(); r != null; r = scanner.next()) {
        for (Cell cell : r.rawCells()) {
          cells.add(show(cell));
        }
      }
    } catch (DoNotRetryIOException e) {
      cells.add(e.getClass().getSimpleName());
    }
    return cells;
  }

  private static String show(Cell cell) {
    return Bytes.toString(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "@"
        + cell.getTimestamp();
  }
}
