package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.BucketInfo;
import io.spyhop.client.BucketedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.ddl.DyingMaster;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Masters die amid a rebalance, and the next one ends it, also where another client asked for it.
 */
class RebalanceDeathTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ROWS = 60;

  private static TestCluster cluster;
  private static int tables;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            2,
            conf -> {
              conf.set("hbase.coprocessor.master.classes", DyingMaster.class.getName());
              conf.setInt("hbase.master.wait.on.regionservers.mintostart", 2);
              conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 2);
              conf.setInt("hbase.client.retries.number", 50);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static RebalanceState noted(TableName table) throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    return new RebalanceJournal(cluster.util().getTestFileSystem(), root).read(table).orElseThrow();
  }

  private static CountDownLatch dieBehind(String step) throws IOException {
    CountDownLatch died = new CountDownLatch(1);
    HMaster master = cluster.util().getMiniHBaseCluster().getMaster();
    cluster.util().getMiniHBaseCluster().startMaster();
    master
        .getMasterCoprocessorHost()
        .findCoprocessor(DyingMaster.class)
        .dieBehind(
            step,
            () -> {
              died.countDown();
              master.abort("dies behind '" + step + "'");
            });
    return died;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rebalance: begun",
        "rebalance: planned",
        "rebalance: shipped",
        "rebalance: held",
        "rebalance: committed",
        "rebalance: moved"
      })
  void theNextMasterEndsIt(String step) throws Exception {
    TableName table = TableName.valueOf("dying" + tables++);
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      create(spyhop, table);
      List<ServerName> all = cluster.admin().getRegionServers().stream().sorted().toList();
      spyhop.buckets().rebalance(table, java.util.Set.of(all.get(0)), Duration.ZERO, m -> {});
      CountDownLatch died = dieBehind(step);
      RebalanceRequest request = new RebalanceRequest(table, UUID.randomUUID(), all, Duration.ZERO);
      CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(request));
      assertThat(died.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("died").isTrue();
      assertThat(cluster.util().getMiniHBaseCluster().waitForActiveAndReadyMaster()).isTrue();
      await("the end")
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class) // not whole on a local file system
          .until(() -> noted(table).request().equals(request) && !noted(table).phase().isOpen());
      asked.handle((done, failure) -> true).join();
      RebalanceState state = noted(table);
      assertThat(state.phase()).as("%s", state).isEqualTo(Phase.DONE);
      assertThat(state.moves()).hasSize(2);
      assertThat(counts(spyhop, table)).containsOnlyKeys(all).containsValues(2L, 2L);
      assertThat(rows(spyhop, table)).isEqualTo(ROWS);
      put(spyhop, table);
    }
  }

  private static void ask(RebalanceRequest request) {
    try {
      ServerCalls.ask(cluster.admin().coprocessorService(), Question.REBALANCE, request.encode());
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static Map<ServerName, Long> counts(Spyhop spyhop, TableName table) throws IOException {
    return spyhop.buckets().buckets(table).stream()
        .map(BucketInfo::server)
        .collect(Collectors.groupingBy(s -> s.orElseThrow(), Collectors.counting()));
  }

  private static void create(Spyhop spyhop, TableName table) throws IOException {
    spyhop
        .buckets()
        .create(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            BucketOptions.usual(4).withBits(4));
    put(spyhop, table);
  }

  private static void put(Spyhop spyhop, TableName table) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(Bytes.toBytes("row" + i)).addColumn(F, F, F));
    }
    try (BucketedTable bucketed = spyhop.bucketed(table)) {
      bucketed.put(puts);
    }
  }

  private static int rows(Spyhop spyhop, TableName table) throws IOException {
    int rows = 0;
    try (BucketedTable bucketed = spyhop.bucketed(table);
        ResultScanner scanner = bucketed.getScanner(new Scan())) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}
