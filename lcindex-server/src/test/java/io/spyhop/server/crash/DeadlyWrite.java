package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexPage;
import io.spyhop.client.Paging;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches that their server dies of when it has written the entries and not yet the cells.
 * Their rows and values are such as nothing else writes: prices and amounts are negative, so that
 * what became of them can be told.
 */
final class DeadlyWrite implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlyWrite.class);
  private static final int ROWS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration DYING = Duration.ofSeconds(3);
  private static final String FIND_ALL = "price < 0";

  private final CrashCluster cluster;
  private final CrashTable table;
  private final Executor threads;
  private final Random random;
  private final Connection impatient;
  private final Set<String> written = new TreeSet<>();
  private final Set<String> givenUp = new TreeSet<>();

  /** By index: rows of the last dead batch whose entries are another server's. */
  private final Map<String, Set<String>> saved = new HashMap<>();

  private CompletableFuture<Boolean> trying = CompletableFuture.completedFuture(true);
  private int batches;
  private long dangled;

  DeadlyWrite(CrashCluster cluster, CrashTable table, Executor threads, long seed)
      throws IOException {
    this.cluster = cluster;
    this.table = table;
    this.threads = threads;
    this.random = new Random(seed);
    Configuration once = new Configuration(cluster.connection().getConfiguration());
    once.setInt("hbase.client.retries.number", 0);
    this.impatient = ConnectionFactory.createConnection(once);
  }

  /**
   * Writes; returns when a server is dead.
   *
   * @param again whether the client goes on until the batch is acknowledged
   * @return the server
   */
  int strike(boolean again) throws IOException {
    int server = attempt(again);
    while (cluster.isAlive(server)) {
      server = attempt(again);
    }
    cluster.awaitEnd(server);
    return server;
  }

  /** One batch. Its region may be on its way elsewhere; then the batch is written or refused. */
  private int attempt(boolean again) throws IOException {
    List<HRegionLocation> regions = table.locations();
    HRegionLocation region = regions.get(random.nextInt(regions.size()));
    ServerName victim = region.getServerName();
    byte[] start = region.getRegion().getStartKey();
    List<Put> puts = new ArrayList<>();
    Set<String> rows = new TreeSet<>();
    batches++;
    for (int i = 0; i < ROWS; i++) {
      byte[] row = Bytes.add(start.length == 0 ? CrashTable.row(0) : start, mark(i));
      puts.add(HaltingObserver.mark(put(row, i), victim.toString()));
      rows.add(Bytes.toString(row));
    }
    Map<String, Set<String>> elsewhere = rowsIndexedElsewhere(puts, victim);
    Connection connection = again ? cluster.connection() : impatient;
    CompletableFuture<Boolean> batch =
        CompletableFuture.supplyAsync(() -> isWritten(connection, puts), threads);
    trying = batch;
    int server = cluster.indexOf(victim);
    await("the batch to end, or the server")
        .atMost(PATIENCE)
        .until(() -> batch.isDone() || !cluster.isAlive(server));
    if (batch.isDone() && batch.join()) {
      written.addAll(rows);
    } else if (hasDied(server)) {
      (again ? written : givenUp).addAll(rows);
      if (!again) {
        saved.putAll(elsewhere);
      }
    }
    return server;
  }

  /** Rows whose entries a server other than that one gets, by index. */
  private Map<String, Set<String>> rowsIndexedElsewhere(List<Put> puts, ServerName server)
      throws IOException {
    Map<String, Set<String>> rows = new HashMap<>();
    for (IndexDefinition index : table.spyhop().admin().listIndexes(CrashTable.NAME)) {
      TableName name = IndexTable.nameOf(CrashTable.NAME, index.name());
      Set<String> its = rows.computeIfAbsent(index.name(), i -> new TreeSet<>());
      try (RegionLocator locator = cluster.connection().getRegionLocator(name)) {
        for (Put p : puts) {
          byte[] row = entry(index, p).indexRow();
          if (!locator.getRegionLocation(row, true).getServerName().equals(server)) {
            its.add(Bytes.toString(p.getRow()));
          }
        }
      }
    }
    return rows;
  }

  private static Entry entry(IndexDefinition index, Put put) {
    ColumnName column = index.column();
    byte[] value = CellUtil.cloneValue(put.get(column.family(), column.qualifier()).get(0));
    byte[] key = index.type().codec().key(value, 0, value.length).bytes();
    return new Entry(key, put.getRow(), 0);
  }

  /** A client may hear of it before the process is gone. */
  private boolean hasDied(int server) {
    long deadline = System.nanoTime() + DYING.toNanos();
    await("the server to die, or the time to be up")
        .atMost(PATIENCE)
        .until(() -> !cluster.isAlive(server) || System.nanoTime() > deadline);
    return !cluster.isAlive(server);
  }

  private byte[] mark(int i) {
    return Bytes.toBytes("-" + batches + "-" + i);
  }

  private static Put put(byte[] row, int i) {
    return new Put(row)
        .addColumn(CrashTable.FAMILY, CrashTable.PRICE, Bytes.toBytes(-1.0 - i))
        .addColumn(CrashTable.FAMILY, CrashTable.NAMED, Bytes.toBytes("died"))
        .addColumn(CrashTable.FAMILY, CrashTable.AMOUNT, Bytes.toBytes(-1L - i));
  }

  /** The region is looked up before: who tries once may find it for some of the puts alone. */
  private static boolean isWritten(Connection connection, List<Put> puts) {
    try (Table t = connection.getTable(CrashTable.NAME);
        RegionLocator locator = connection.getRegionLocator(CrashTable.NAME)) {
      locator.getRegionLocation(puts.get(0).getRow(), true);
      t.put(puts);
      return true;
    } catch (IOException e) {
      LOG.info("A batch was not written", e);
      return false;
    }
  }

  /** Waits until the last batch is written, or given up; one that is tried again is written. */
  void awaitEnd() {
    await("the end of the batch that its server died of")
        .atMost(PATIENCE)
        .until(() -> trying.isDone());
  }

  /**
   * Requires that what was acknowledged is found along every path, and that of what was not there
   * are entries alone, which are no answers; then has them deleted, by a read or by the verifier.
   * Entries in the log that died with the server before it was synced may be gone with it
   * (docs/decisions/0018); those of other servers are there.
   */
  void requireHarmless() throws IOException {
    for (String index : CrashTable.INDEXES) {
      Set<String> left = dangling(index);
      assertThat(givenUp)
          .as("rows with an entry in %s that was written before a server died", index)
          .containsAll(left);
      assertThat(left)
          .as("rows whose entry in %s another server had", index)
          .containsAll(saved.getOrDefault(index, Set.of()));
      dangled += left.size();
    }
    List<String> plain = table.cells(FIND_ALL, Attributes.PATH_SCAN);
    assertThat(rows(plain)).isEqualTo(written);
    for (String where : List.of(FIND_ALL, "amount < 0", "name = 'died'")) {
      for (String path : List.of("price", "name", "amount", Attributes.PATH_AUTO)) {
        assertThat(table.cells(where, path)).as(where + " along " + path).isEqualTo(plain);
      }
    }
    assertThat(readByValue()).isEqualTo(written);
    clean();
    givenUp.clear();
    saved.clear();
  }

  private static Set<String> rows(List<String> cells) {
    Set<String> rows = new TreeSet<>();
    cells.forEach(c -> rows.add(c.substring(0, c.indexOf('/'))));
    return rows;
  }

  private Set<String> readByValue() throws IOException {
    Set<String> rows = new TreeSet<>();
    DeferredIndexTable amounts = table.spyhop().deferred(CrashTable.NAME, "amount");
    Optional<Paging> page = Optional.of(Paging.first(3));
    while (page.isPresent()) {
      IndexPage part = amounts.readRange(null, -1L, Long.MAX_VALUE, 1, page.get());
      part.cells().forEach(c -> rows.add(Bytes.toString(c.row())));
      page = part.next().map(n -> Paging.from(3, n));
    }
    return rows;
  }

  /** The queries before have told of the entries; where the verifier is asked, it need not wait. */
  private void clean() throws IOException {
    if (random.nextBoolean()) {
      for (String index : CrashTable.INDEXES) {
        VerifyReport report = table.spyhop().admin().verify(CrashTable.NAME, index, true);
        assertThat(report.missing()).as("missing: %s", report).isZero();
      }
    }
    await("the entries of dead writes to be deleted")
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              for (String index : CrashTable.INDEXES) {
                assertThat(dangling(index)).as(index).isEmpty();
              }
            });
  }

  /** Rows of dead batches that have an entry. */
  private Set<String> dangling(String index) throws IOException {
    Set<String> rows = new TreeSet<>();
    TableName name = IndexTable.nameOf(CrashTable.NAME, index);
    Scan scan = new Scan().addFamily(IndexTable.ENTRIES).readAllVersions();
    try (Table t = cluster.connection().getTable(name);
        ResultScanner scanner = t.getScanner(scan)) {
      for (Result r : scanner) {
        for (Cell c : r.rawCells()) {
          byte[] row = CellUtil.cloneRow(c);
          rows.add(Bytes.toString(Entry.of(row, 0, row.length, c.getTimestamp()).row()));
        }
      }
    }
    rows.retainAll(givenUp);
    return rows;
  }

  /** Entries that dead writes left behind. */
  long dangled() {
    return dangled;
  }

  @Override
  public void close() throws IOException {
    impatient.close();
  }
}
