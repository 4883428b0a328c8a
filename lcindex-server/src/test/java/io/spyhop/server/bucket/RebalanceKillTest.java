package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.BucketInfo;
import io.spyhop.client.BucketedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.ddl.DyingMaster;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers are killed amid the move of a bucket, the one that has it and the one that gets it. */
class RebalanceKillTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] L = Bytes.toBytes("l");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ROWS = 100;
  private static final int VALUES = 10;

  private static TestCluster cluster;
  private static int tables;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            3,
            conf -> {
              conf.set("hbase.coprocessor.master.classes", DyingMaster.class.getName());
              conf.setInt("hbase.client.retries.number", 50);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource({
    "source, rebalance: shipped",
    "source, rebalance: held",
    "source, rebalance: committed",
    "destination, rebalance: shipped",
    "destination, rebalance: held",
    "destination, rebalance: committed"
  })
  void theOthersHaveTheBuckets(String victim, String step) throws Exception {
    TableName table = TableName.valueOf("killing" + tables++);
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      create(spyhop, table);
      List<ServerName> all = new ArrayList<>(new TreeSet<>(cluster.admin().getRegionServers()));
      ServerName source = all.get(0);
      Set<ServerName> others = Set.copyOf(all.subList(1, all.size()));
      spyhop.buckets().rebalance(table, Set.of(source), Duration.ZERO, m -> {});
      ServerName killed = victim.equals("source") ? source : all.get(1);
      master().behind(step, () -> replace(killed));
      spyhop.buckets().rebalance(table, others, Duration.ZERO, m -> {});

      RebalanceState state = noted(table);
      assertThat(state.phase()).as("%s", state).isEqualTo(Phase.DONE);
      Set<ServerName> staying = new TreeSet<>(others);
      staying.remove(killed);
      assertThat(counts(spyhop, table).keySet()).isEqualTo(staying);
      assertThat(counts(spyhop, table).values()).allMatch(n -> n == 4 / staying.size());
      rowsAreThere(spyhop, table);
      await("the index of all buckets")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          spyhop
                              .table(table)
                              .explainAnalyze(Query.where("l = 7").hint("l"))
                              .toText())
                      .doesNotContain("scan"));
      rowsAreThere(spyhop, table);
      cluster.admin().disableTable(table);
      cluster.admin().deleteTable(table);
    }
  }

  private static DyingMaster master() {
    HMaster master = cluster.util().getMiniHBaseCluster().getMaster();
    return master.getMasterCoprocessorHost().findCoprocessor(DyingMaster.class);
  }

  private static void replace(ServerName victim) {
    try {
      cluster.replace(victim);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RebalanceState noted(TableName table) throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    return new RebalanceJournal(cluster.util().getTestFileSystem(), root).read(table).orElseThrow();
  }

  private static Map<ServerName, Long> counts(Spyhop spyhop, TableName table) throws IOException {
    return spyhop.buckets().buckets(table).stream()
        .map(BucketInfo::server)
        .collect(Collectors.groupingBy(s -> s.orElseThrow(), Collectors.counting()));
  }

  private static void create(Spyhop spyhop, TableName table) throws Exception {
    spyhop
        .buckets()
        .create(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            BucketOptions.usual(4).withBits(4));
    IndexDefinition index =
        IndexDefinition.builder("l")
            .kind(IndexKind.LOCAL)
            .column("f:l")
            .type(ValueType.LONG)
            .build();
    spyhop.admin().createIndexes(table, List.of(index));
    put(spyhop, table, 0);
    cluster.admin().flush(table);
    spyhop.admin().waitUntilActive(table, PATIENCE);
    put(spyhop, table, ROWS);
  }

  private static void put(Spyhop spyhop, TableName table, int from) throws IOException {
    try (BucketedTable bucketed = spyhop.bucketed(table)) {
      bucketed.put(
          IntStream.range(from, from + ROWS)
              .mapToObj(
                  i ->
                      new Put(Bytes.toBytes("row" + i))
                          .addColumn(F, L, Bytes.toBytes((long) i % VALUES)))
              .toList());
    }
  }

  private static void rowsAreThere(Spyhop spyhop, TableName table) throws IOException {
    List<String> found = new ArrayList<>();
    try (RowCursor rows = spyhop.table(table).query(Query.where("l = 7"))) {
      for (Result row : rows) {
        found.add(Bytes.toString(row.getRow()));
      }
    }
    List<String> expected =
        IntStream.range(0, 2 * ROWS)
            .filter(i -> i % VALUES == 7)
            .mapToObj(i -> "row" + i)
            .sorted()
            .toList();
    assertThat(found).isEqualTo(expected);
  }
}
