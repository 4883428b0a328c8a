package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregation;
import io.spyhop.client.BucketedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.query.scan.IndexScanner;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Users' quotas, the metrics of scans and HBase's log of large answers, which count what queries
 * read as they count what scans read.
 */
@Tag(TestCluster.NEEDS_2_6)
class QuotaTest {
  private static final int ROWS = 4_000;
  private static final int ROW = 430;

  /** What a scan reads, and some blocks. */
  private static final long ALL = (long) ROWS * (ROW + 100);

  private static final int BLOCK = 8 << 10;
  private static final int ANSWER = 1 << 20;
  private static final long LIMIT = 8 << 20;
  private static final TableName BUCKETED = TableName.valueOf("quota-buckets");
  private static TestCluster cluster;
  private static IndexedTableFixture columnar;
  private static IndexedTableFixture clustering;
  private static IndexedTableFixture mixed;

  /** A way to read rows. */
  private enum Path {
    SCAN(s -> count(s, columnar, Query.where("price < 10").hint("scan"))),
    COLUMNAR(s -> count(s, columnar, Query.where("price < 10").hint("price"))),
    CLUSTERING(s -> count(s, clustering, Query.where("price < 10").hint("price"))),
    MIXED(s -> count(s, mixed, Query.where("price < 10").hint("price"))),
    ORDERED(s -> count(s, columnar, Query.all().orderBy("price").limit(10))),
    CLUSTERING_ORDERED(s -> count(s, clustering, Query.all().orderBy("price").limit(10))),
    PATIENT(s -> count(s, columnar, Query.where("price < 400").limit(10))),
    GLOBAL(s -> count(s, columnar, Query.where("g = 7").hint("g"))),
    AGGREGATE(s -> sum(s, columnar)),
    CLUSTERING_AGGREGATE(s -> sum(s, clustering)),
    KEY_ORDER(
        s -> {
          try (BucketedTable t = s.bucketed(BUCKETED)) {
            return count(t.getScanner(new Scan()));
          }
        }),
    SMALL_SCAN(
        s -> {
          try (BucketedTable t = s.bucketed(BUCKETED)) {
            return count(t.getScanner(new Scan().setLimit(5)));
          }
        });

    private final Reading reading;

    Path(Reading reading) {
      this.reading = reading;
    }
  }

  /** Reads and tells how many rows there were. */
  private interface Reading {
    int run(Spyhop spyhop) throws IOException;
  }

  @BeforeAll
  static void load() throws Exception {
    cluster =
        TestCluster.start(
            1,
            conf -> {
              conf.setBoolean("hbase.quota.enabled", true);
              conf.setInt("hbase.quota.refresh.period", 200);
              conf.setInt("hbase.ipc.warn.response.size", ANSWER / 2);
              conf.setLong(HConstants.HBASE_SERVER_SCANNER_MAX_RESULT_SIZE_KEY, ANSWER);
            });
    columnar = table(Layout.COLUMNAR);
    clustering = table(Layout.CLUSTERING);
    mixed = table(Layout.COLUMNAR);
    write(mixed.table(), 0, ROWS / 5);
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      spyhop
          .admin()
          .createIndex(
              columnar.name(),
              IndexDefinition.builder("g")
                  .kind(IndexKind.GLOBAL)
                  .column("f:g")
                  .type(ValueType.LONG)
                  .build());
      spyhop.admin().waitUntilActive(columnar.name(), Duration.ofSeconds(60));
      spyhop
          .buckets()
          .create(
              TableDescriptorBuilder.newBuilder(BUCKETED)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(BLOCK).build())
                  .build(),
              BucketOptions.usual(1));
      try (BucketedTable table = spyhop.bucketed(BUCKETED)) {
        write(table, 0, ROWS);
      }
      Regions.flush(cluster, BUCKETED);
    }
  }

  private static IndexedTableFixture table(Layout layout) throws IOException {
    IndexedTableFixture table =
        new IndexedTableFixture(cluster, layout, f -> f.setBlocksize(BLOCK));
    write(table.table(), 0, ROWS);
    table.flushAndIndex();
    return table;
  }

  private static void write(Table table, int from, int to) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      double price = i * 7919L % ROWS;
      puts.add(
          new Put(Bytes.toBytes("r%06d".formatted(i)))
              .addColumn(F, q("price"), Bytes.toBytes(price))
              .addColumn(F, q("g"), Bytes.toBytes(i * 7919L % ROWS / 10))
              .addColumn(F, q("pad"), new byte[400]));
    }
    table.put(puts);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static int count(Spyhop spyhop, IndexedTableFixture table, Query query)
      throws IOException {
    List<Result> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(table.name()).query(query)) {
      cursor.forEach(rows::add);
    }
    return rows.size();
  }

  private static int count(ResultScanner scanner) throws IOException {
    int rows = 0;
    try (scanner) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private static int sum(Spyhop spyhop, IndexedTableFixture table) throws IOException {
    return spyhop
        .table(table.name())
        .aggregate(Query.where("price < 10").hint("price"), Aggregation.of(Aggregate.sum("price")))
        .groups()
        .size();
  }

  /** Reads as another user, without another try. */
  private static int as(String name, Reading reading) throws Exception {
    Configuration conf = new Configuration(cluster.connection().getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    User user = User.createUserForTesting(conf, name, new String[0]);
    return user.runAs(
        (PrivilegedExceptionAction<Integer>)
            () -> {
              try (Connection c = ConnectionFactory.createConnection(conf);
                  Spyhop spyhop = Spyhop.connect(c)) {
                return reading.run(spyhop);
              }
            });
  }

  @ParameterizedTest
  @EnumSource(Path.class)
  void aThrottledUserReadsAsMuchAsByScans(Path path) throws Exception {
    String user = "throttled-" + path;
    cluster
        .admin()
        .setQuota(
            QuotaSettingsFactory.throttleUser(user, ThrottleType.READ_SIZE, LIMIT, TimeUnit.DAYS));
    await("the quota of " + path).until(() -> left(user) <= LIMIT);
    int rows = as(user, path.reading);
    assertThat(rows).isPositive();
    long read = LIMIT - left(user);
    assertThat(read).isGreaterThan((long) rows * ROW);
    if (path != Path.KEY_ORDER) { // which also reads the block of each prefix's first row
      assertThat(read).isLessThan(ALL);
    }

    AtomicInteger runs = new AtomicInteger(1);
    Throwable end = catchThrowable(() -> as(user, s -> readOn(s, path, runs)));
    assertThat(end).hasStackTraceContaining(RpcThrottlingException.class.getName());
    assertThat(runs.get() * read).isBetween(LIMIT / 2, LIMIT + LIMIT / 4 + read);
  }

  private static int readOn(Spyhop spyhop, Path path, AtomicInteger runs) throws IOException {
    while (runs.get() * (long) ROW < LIMIT) {
      path.reading.run(spyhop);
      runs.incrementAndGet();
    }
    return runs.get();
  }

  /** Bytes that a user's quota has left, which this takes nothing of; huge without a quota. */
  private static long left(String user) throws IOException {
    OperationQuota quota =
        cluster
            .util()
            .getHBaseCluster()
            .getRegionServer(0)
            .getRegionServerRpcQuotaManager()
            .getQuota(UserGroupInformation.createRemoteUser(user), columnar.name(), BLOCK);
    quota.checkBatchQuota(0, 1);
    quota.close();
    return quota.getReadAvailable();
  }

  private static ScanMetrics metrics(IndexedTableFixture table, String path, Scan scan, int below)
      throws IOException {
    scan.setFilter(new PredicateFilter(table.bind(column("price").lt((double) below))))
        .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path))
        .setScanMetricsEnabled(true);
    ResultScanner scanner = table.table().getScanner(scan);
    assertThat(count(scanner)).isEqualTo(below);
    return scanner.getScanMetrics();
  }

  @Test
  void metricsOfScansTellWhatWasRead() throws IOException {
    for (IndexedTableFixture table : List.of(columnar, clustering, mixed)) {
      ScanMetrics scan = metrics(table, "scan", new Scan(), 10);
      ScanMetrics index = metrics(table, "price", new Scan(), 10);
      assertThat(scan.countOfRowsScanned.get()).isEqualTo(ROWS);
      assertThat(index.countOfRowsScanned.get()).isBetween(10L, 100L);
      assertThat(index.countOfBlockBytesScanned.get())
          .isBetween(10L * ROW, scan.countOfBlockBytesScanned.get());
    }
  }

  @Test
  void answersAreAsLargeAsTheScanAndTheServerAllow() throws IOException {
    for (IndexedTableFixture table : List.of(columnar, clustering, mixed)) {
      ScanMetrics small = metrics(table, "price", new Scan().setMaxResultSize(10 * ROW), 100);
      assertThat(small.countOfRPCcalls.get()).isGreaterThanOrEqualTo(10);
    }
    StringWriter written = new StringWriter();
    WriterAppender appender = new WriterAppender(new SimpleLayout(), written);
    Logger log = Logger.getLogger(RpcServer.class);
    log.addAppender(appender);
    try {
      Scan all = new Scan().setMaxResultSize(Long.MAX_VALUE).setCaching(ROWS);
      ScanMetrics large = metrics(columnar, "price", all, ROWS);
      assertThat(large.countOfRPCcalls.get()).isGreaterThan(1);
      await("HBase's log of large answers")
          .untilAsserted(
              () ->
                  assertThat(written.toString())
                      .contains("(responseTooLarge)", columnar.name() + ",")
                      .containsPattern("\"blockbytesscanned\":\"?[0-9]{6,}"));
    } finally {
      log.removeAppender(appender);
    }
  }

  @Test
  void filesWithoutIndexFilesCountToo() throws IOException {
    AtomicLong counted = new AtomicLong();
    ScannerContext context = SpyhopAccess.unlimited();
    Scan scan = new Scan().setFilter(new PredicateFilter(columnar.bind(column("price").lt(10.0))));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes("price"));
    RpcServer.setCurrentCall(call(counted));
    try (RegionScanner rows =
        Queries.of(columnar.region()).open(scan, columnar.region().getScanner(scan))) {
      assertThat(rows).isInstanceOf(IndexScanner.class);
      List<Cell> cells = new ArrayList<>();
      while (rows.nextRaw(cells, context)) {
        cells.clear();
      }
    } finally {
      RpcServer.unsetCurrentCall();
    }
    assertThat(counted.get()).isBetween((long) ROWS * ROW, ALL);
    assertThat(SpyhopAccess.blockBytes(context)).isEqualTo(counted.get());
  }

  /** A call that counts blocks, and knows nothing else. */
  private static RpcCall call(AtomicLong blocks) {
    return (RpcCall)
        Proxy.newProxyInstance(
            QuotaTest.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "incrementBlockBytesScanned" -> {
                    blocks.addAndGet((long) args[0]);
                    yield null;
                  }
                  case "getBlockBytesScanned" -> blocks.get();
                  case "disconnectSince" -> -1L;
                  default -> method.getReturnType() == Optional.class ? Optional.empty() : null;
                });
  }
}
