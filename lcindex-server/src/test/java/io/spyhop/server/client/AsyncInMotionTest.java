package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.AsyncIndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryCancelledException;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.master.locking.LockManager.MasterLock;
import org.apache.hadoop.hbase.procedure2.LockType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries without waiting, whose regions move and whose servers die while they run. */
@Timeout(180)
class AsyncInMotionTest {
  private static final byte[] F = IndexedTableFixture.F;
  private static final int ROWS = 200;
  private static final Query PRICED = Query.where("price >= 0").caching(10);

  private final TestCluster cluster = TestCluster.get();
  private final ExecutorService executor = Executors.newFixedThreadPool(1);
  private IndexedTableFixture fixture;
  private Spyhop spyhop;
  private AsyncIndexedTable table;

  /** Queries in three orders. */
  enum Asked {
    BY_KEY(PRICED),
    BY_VALUE(PRICED.orderBy("price")),
    THE_FIRST(PRICED.limit(150));

    private final Query query;

    Asked(Query query) {
      this.query = query;
    }
  }

  /** Holds on after the first rows. */
  private static final class Suspending implements AdvancedScanResultConsumer {
    private final List<String> rows = new ArrayList<>();
    private final CompletableFuture<ScanResumer> held = new CompletableFuture<>();

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result row : results) {
        rows.add(Bytes.toString(row.getRow()));
      }
      if (!held.isDone()) {
        held.complete(controller.suspend());
      }
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onComplete() {}
  }

  @BeforeEach
  void fill() throws IOException {
    fixture =
        IndexedTableFixture.with(
            cluster,
            d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)),
            "r050",
            "r100",
            "r150");
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(Bytes.toBytes(key(i)))
              .addColumn(F, IndexedTableFixture.q("price"), Bytes.toBytes((double) i)));
    }
    fixture.table().put(puts);
    fixture.flushAndIndex();
    spyhop = Spyhop.connect(cluster.connection());
    table = spyhop.asyncTable(fixture.name(), executor);
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    executor.shutdownNow();
    fixture.close();
  }

  private static String key(int row) {
    return String.format("r%03d", row);
  }

  private static List<String> keys(Asked asked) {
    return IntStream.range(0, asked.query.limit().orElse(ROWS))
        .mapToObj(AsyncInMotionTest::key)
        .toList();
  }

  /** The server of the table's last region. */
  private ServerName lastServer() {
    HRegion last =
        cluster.regions(fixture.name()).stream()
            .filter(r -> r.getRegionInfo().getEndKey().length == 0)
            .findFirst()
            .orElseThrow();
    return cluster.serverOf(last);
  }

  private void moveAll() throws IOException {
    for (HRegion region : cluster.regions(fixture.name())) {
      ServerName from = cluster.serverOf(region);
      ServerName to =
          cluster.admin().getRegionServers().stream()
              .filter(s -> !s.equals(from))
              .findFirst()
              .orElseThrow();
      cluster.admin().move(region.getRegionInfo().getEncodedNameAsBytes(), to);
    }
  }

  private void awaitAFreeThread() throws Exception {
    executor.submit(() -> {}).get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource(Asked.class)
  void goesOnAfterAllRegionsMoved(Asked asked) throws Exception {
    Suspending consumer = new Suspending();
    CompletableFuture<Void> end = table.query(asked.query, consumer);
    var resumer = consumer.held.get(30, TimeUnit.SECONDS);
    moveAll();
    resumer.resume();
    end.get(60, TimeUnit.SECONDS);
    assertThat(consumer.rows).isEqualTo(keys(asked));
  }

  @ParameterizedTest
  @EnumSource(Asked.class)
  void goesOnAfterAServerDied(Asked asked) throws Exception {
    Suspending consumer = new Suspending();
    CompletableFuture<Void> end = table.query(asked.query, consumer);
    var resumer = consumer.held.get(30, TimeUnit.SECONDS);
    cluster.replace(lastServer());
    resumer.resume();
    end.get(120, TimeUnit.SECONDS);
    assertThat(consumer.rows).isEqualTo(keys(asked));
  }

  /** Nobody answers for the dead server's regions: the master may not open them elsewhere yet. */
  @Test
  void endsWhileAServerIsDead() throws Exception {
    ServerName dead = lastServer();
    MasterLock unmoved =
        cluster
            .util()
            .getMiniHBaseCluster()
            .getMaster()
            .getLockManager()
            .createMasterLock(fixture.name(), LockType.EXCLUSIVE, "regions stay away");
    assertThat(unmoved.tryAcquire(30_000)).isTrue();
    cluster.kill(dead);
    try {
      CompletableFuture<List<Result>> late = table.queryAll(PRICED.timeout(Duration.ofMillis(200)));
      assertThatThrownBy(() -> late.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(QueryCancelledException.class);
      CompletableFuture<List<Result>> unwanted = table.queryAll(PRICED);
      unwanted.cancel(true);
      assertThatThrownBy(unwanted::join).isInstanceOf(CancellationException.class);
      awaitAFreeThread();
    } finally {
      unmoved.release();
      cluster.startServer();
    }
    await("an answer from another server")
        .atMost(Duration.ofSeconds(60))
        .until(() -> table.queryAll(PRICED).get(60, TimeUnit.SECONDS).size() == ROWS);
  }
}
