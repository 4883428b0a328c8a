package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterSpec;
import io.spyhop.cluster.ServerRole;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.hook.SpyhopMaster;
import io.spyhop.server.hook.SpyhopRegionServer;
import io.spyhop.server.view.store.ViewRegion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region server of 512 MB that holds two tables of 300 rows of 2 MB, and eight clients that read
 * them in every way at the same time: {@code scripts/wide-rows}. Not part of an ordinary run.
 */
@Tag("soak")
class WideRowsLoadTest {
  private static final Logger LOG = LoggerFactory.getLogger(WideRowsLoadTest.class);
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] PRICE = Bytes.toBytes("price");
  private static final byte[] NAME = Bytes.toBytes("name");
  private static final int ROWS = Integer.getInteger("spyhop.rows", 300);
  private static final int CLIENTS = Integer.getInteger("spyhop.clients", 8);
  private static final int WIDTH = 2 << 20;
  private static final int SOME = 40;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final TableName PLAIN = TableName.valueOf("wide");
  private static final TableName BUCKETED = TableName.valueOf("wide-bucketed");

  private final TreeMap<String, String> expected = new TreeMap<>();
  private final TreeMap<String, String> byPrice = new TreeMap<>();
  private Connection connection;
  private Spyhop spyhop;

  /** Reads rows in one way. */
  @FunctionalInterface
  private interface Way {
    List<String> read() throws IOException;
  }

  @Test
  void aSmallServerSurvives() throws Exception {
    HBaseTestingUtility util = new HBaseTestingUtility();
    util.startMiniZKCluster();
    util.startMiniDFSCluster(1);
    Path dir = Path.of("target", "wide").toAbsolutePath();
    FileUtil.fullyDelete(dir.toFile());
    try (Cluster cluster = Cluster.start(dir, spec(util, dir))) {
      Configuration conf = new Configuration(util.getConfiguration());
      conf.setInt("hbase.client.retries.number", 20);
      connection = ConnectionFactory.createConnection(conf);
      spyhop = Spyhop.connect(connection);
      List<ServerName> before = servers();
      load();
      LOG.warn("{} rows of {} bytes are loaded twice", ROWS, WIDTH);
      index();
      LOG.warn("the indexes are active");
      read();
      assertThat(servers()).as("the same process").isEqualTo(before);
      spyhop.close();
      connection.close();
    }
  }

  private static ClusterSpec spec(HBaseTestingUtility util, Path dir) throws IOException {
    return ClusterSpec.builder()
        .fileSystem(util.getTestFileSystem().getUri())
        .zooKeeper(util.getZkCluster().getClientPort())
        .regionServers(1)
        .heap(ServerRole.REGION_SERVER, "512m")
        .classPath(System.getProperty("java.class.path"))
        .jvmOption("-XX:+ExitOnOutOfMemoryError")
        .settings(
            Map.of(
                "hbase.coprocessor.regionserver.classes",
                SpyhopRegionServer.class.getName(),
                "hbase.coprocessor.master.classes",
                SpyhopMaster.class.getName(),
                "spyhop.ifile.dir",
                dir.resolve("ifiles").toUri().toString(),
                "dfs.replication",
                "1",
                "hbase.hregion.memstore.flush.size",
                String.valueOf(32 << 20),
                HConstants.REGION_IMPL,
                ViewRegion.class.getName(),
                SpyhopRpcSchedulerFactory.KEY,
                SpyhopRpcSchedulerFactory.class.getName()))
        .life(ClusterSpec.Life.ENDS_WITH_JVM)
        .build();
  }

  private List<ServerName> servers() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return List.copyOf(admin.getRegionServers());
    }
  }

  private void load() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(PLAIN)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(F)
                      .setValue(ViewOption.NAME, "true")
                      .build())
              .build());
    }
    spyhop
        .buckets()
        .create(
            TableDescriptorBuilder.newBuilder(BUCKETED)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            BucketOptions.usual(1));
    Random random = new Random(1);
    byte[] value = new byte[WIDTH];
    try (Table table = connection.getTable(PLAIN);
        BucketedTable bucketed = spyhop.bucketed(BUCKETED)) {
      for (int i = 0; i < ROWS; i++) {
        random.nextBytes(value);
        String key = String.format("r%04d", i);
        long price = i * 7919L % ROWS;
        Put put = new Put(Bytes.toBytes(key));
        put.addColumn(F, PRICE, Bytes.toBytes(price));
        put.addColumn(F, NAME, Bytes.toBytes("n" + i % 10));
        put.addColumn(F, Bytes.toBytes("value"), value);
        table.put(put);
        bucketed.put(put);
        String said = said(key, 3, value);
        expected.put(key, said);
        byPrice.put(String.format("%04d", price), said);
      }
    }
  }

  private static String said(String key, int cells, byte[] value) {
    return key + " " + cells + " " + Bytes.hashCode(value);
  }

  private static String said(Result row) {
    byte[] value = row.getValue(F, Bytes.toBytes("value"));
    return said(Bytes.toString(row.getRow()), row.size(), value);
  }

  private void index() throws IOException {
    for (IndexKind kind : new IndexKind[] {IndexKind.STATS, IndexKind.LOCAL, IndexKind.GLOBAL}) {
      boolean global = kind == IndexKind.GLOBAL;
      spyhop
          .admin()
          .createIndex(
              PLAIN,
              IndexDefinition.builder("of_" + kind)
                  .column(global ? "f:name" : "f:price")
                  .type(global ? ValueType.STRING : ValueType.LONG)
                  .kind(kind)
                  .build());
      spyhop.admin().waitUntilActive(PLAIN, LIMIT);
    }
  }

  private List<String> query(TableName table, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(table).query(query)) {
      cursor.forEach(r -> rows.add(said(r)));
    }
    return rows;
  }

  private static List<String> scan(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (table;
        ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(r -> rows.add(said(r)));
    }
    return rows;
  }

  private static List<String> first(Stream<String> all) {
    return all.limit(SOME).toList();
  }

  /** Every way, with what it must read. */
  private Map<String, Map.Entry<Way, List<String>>> ways() {
    List<String> keys = first(expected.values().stream());
    List<String> back = first(expected.descendingMap().values().stream());
    List<String> prices = first(byPrice.values().stream());
    List<String> pricesBack = first(byPrice.descendingMap().values().stream());
    List<String> named = expected.values().stream().filter(s -> s.charAt(4) == '7').toList();
    List<String> cheap =
        byPrice.headMap(String.format("%04d", SOME)).values().stream().sorted().toList();
    Scan forwards = new Scan().setLimit(SOME);
    Scan backwards = new Scan().setLimit(SOME).setReversed(true);
    Query where = Query.where("CAST(price AS LONG) < " + SOME);
    Query ordered = Query.all().orderBy("price").limit(SOME);
    Query down = Query.all().orderBy("price", Order.DESC).limit(SOME);
    Map<String, Map.Entry<Way, List<String>>> ways = new LinkedHashMap<>();
    ways.put("scan", Map.entry(() -> scan(connection.getTable(PLAIN), forwards), keys));
    ways.put("reversed", Map.entry(() -> scan(connection.getTable(PLAIN), backwards), back));
    for (String path : List.of(Attributes.PATH_SCAN, Attributes.PATH_INDEX)) {
      ways.put("query " + path, Map.entry(() -> query(PLAIN, where.hint(path)), cheap));
    }
    ways.put("global", Map.entry(() -> query(PLAIN, Query.where("name = 'n7'")), named));
    ways.put("ordered", Map.entry(() -> query(PLAIN, ordered), prices));
    ways.put("ordered down", Map.entry(() -> query(PLAIN, down), pricesBack));
    ways.put(
        "all ordered",
        Map.entry(() -> first(query(PLAIN, Query.all().orderBy("price")).stream()), prices));
    ways.put("buckets", Map.entry(() -> scan(spyhop.bucketed(BUCKETED), forwards), keys));
    ways.put("buckets back", Map.entry(() -> scan(spyhop.bucketed(BUCKETED), backwards), back));
    ways.put("bucketed query", Map.entry(() -> query(BUCKETED, where), cheap));
    return ways;
  }

  private void read() throws Exception {
    Map<String, Map.Entry<Way, List<String>>> ways = ways();
    List<String> names = List.copyOf(ways.keySet());
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    List<Future<?>> reading = new ArrayList<>();
    for (int c = 0; c < CLIENTS; c++) {
      int first = c;
      reading.add(
          clients.submit(
              () -> {
                for (int i = 0; i < names.size(); i++) {
                  String name = names.get((first + i) % names.size());
                  long begin = System.nanoTime();
                  List<String> rows = ways.get(name).getKey().read();
                  assertThat(rows).as(name).isEqualTo(ways.get(name).getValue());
                  LOG.warn("{}: {} ms", name, (System.nanoTime() - begin) / 1_000_000);
                }
                return null;
              }));
    }
    try {
      for (Future<?> r : reading) {
        r.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }
}
