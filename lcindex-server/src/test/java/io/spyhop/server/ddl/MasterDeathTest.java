package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.GlobalIndexRequest;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The master dies behind a step of a global index's life; the next one ends what was begun. */
class MasterDeathTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static int tables;

  private static TestCluster cluster;

  private TableName base;
  private TableName indexTable;
  private Spyhop spyhop;
  private IndexAdmin indexes;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            1,
            conf -> {
              conf.set("hbase.coprocessor.master.classes", DyingMaster.class.getName());
              conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
              conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
              conf.setInt("hbase.client.retries.number", 50);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void create() throws IOException {
    base = TableName.valueOf("dying" + tables++);
    indexTable = IndexTable.nameOf(base, "price");
    spyhop = Spyhop.connect(cluster.connection());
    indexes = spyhop.admin();
    admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(base)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    try (Table t = cluster.connection().getTable(base)) {
      t.put(new Put(F).addColumn(F, Bytes.toBytes("price"), Bytes.toBytes(7L)));
    }
  }

  @AfterEach
  void close() throws IOException {
    spyhop.close();
  }

  private static Admin admin() throws IOException {
    return cluster.admin();
  }

  private static IndexDefinition price() {
    return IndexDefinition.builder("price")
        .kind(IndexKind.GLOBAL)
        .column("f:price")
        .type(ValueType.LONG)
        .build();
  }

  /** Has the master die behind a step, and another one wait for that; the result says it died. */
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

  private static void awaitNext(CountDownLatch died) throws Exception {
    assertThat(died.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("died").isTrue();
    assertThat(cluster.util().getMiniHBaseCluster().waitForActiveAndReadyMaster()).isTrue();
  }

  /** What was begun for a table is not done to another of its name. */
  @ParameterizedTest
  @ValueSource(strings = {"create: begun", "create: table made"})
  void endsWithItsTable(String step) throws Exception {
    cluster
        .util()
        .getMiniHBaseCluster()
        .getMaster()
        .getMasterCoprocessorHost()
        .findCoprocessor(DyingMaster.class)
        .behind(step, this::comeAgain);
    assertThatThrownBy(() -> indexes.createIndex(base, price()))
        .hasMessageContaining("the table was dropped meanwhile");
    assertThat(indexes.listIndexes(base)).isEmpty();
    indexes.createIndex(base, price());
    assertThat(indexes.listIndexes(base)).hasSize(1);
    awaitEnd();
  }

  private void comeAgain() {
    try {
      TableDescriptor table = admin().getDescriptor(base);
      admin().disableTable(base);
      admin().deleteTable(base);
      admin().createTable(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing is half done. */
  private void awaitEnd() {
    await("all that was begun to be ended")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> begun() == 0 && indexes.orphans().isEmpty());
  }

  private static int begun() throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    try {
      return cluster.util().getTestFileSystem().listStatus(new Path(root, ".spyhop-ddl")).length;
    } catch (FileNotFoundException e) {
      return 0;
    }
  }

  private void assertMade(IndexDefinition index) throws IOException {
    assertThat(indexes.listIndexes(base)).containsExactly(index);
    assertThat(IndexTable.holds(admin().getDescriptor(indexTable), index)).isTrue();
    indexes.waitUntilActive(base, PATIENCE);
    assertThat(entries()).isEqualTo(1);
  }

  private int entries() throws IOException {
    int entries = 0;
    try (Table t = cluster.connection().getTable(indexTable);
        ResultScanner rows = t.getScanner(new Scan().addFamily(IndexTable.ENTRIES))) {
      while (rows.next() != null) {
        entries++;
      }
    }
    return entries;
  }

  @ParameterizedTest
  @ValueSource(strings = {"create: begun", "create: table made", "create: defined"})
  void clientsGetTheirIndex(String step) throws Exception {
    IndexDefinition index = price();
    CountDownLatch died = dieBehind(step);
    indexes.createIndex(base, index, List.of());
    awaitNext(died);
    awaitEnd();
    assertMade(index);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rebuild: begun", "rebuild: defined", "rebuild: table made"})
  void theNextMasterRebuildsUnasked(String step) throws Exception {
    IndexDefinition index = price();
    indexes.createIndex(base, index, List.of());
    IndexDefinition renewed = index.toBuilder().renewed().build();
    byte[] request = new GlobalIndexRequest(base, renewed, List.of()).encode();
    CountDownLatch died = dieBehind(step);
    CompletableFuture<Void> asked =
        CompletableFuture.runAsync(() -> askOnce(Question.REBUILD, request));
    awaitNext(died);
    assertThat(asked.handle((done, failure) -> failure).get()).isNotNull();
    awaitEnd();
    assertMade(renewed);
  }

  private static void askOnce(Question question, byte[] request) {
    try {
      ServerCalls.ask(admin().coprocessorService(), question, request);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"drop: begun", "drop: no longer defined", "drop: table gone"})
  void clientsAreRidOfTheirIndex(String step) throws Exception {
    indexes.createIndex(base, price(), List.of());
    CountDownLatch died = dieBehind(step);
    indexes.dropIndex(base, "price");
    awaitNext(died);
    awaitEnd();
    assertThat(indexes.listIndexes(base)).isEmpty();
    assertThat(admin().tableExists(indexTable)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"before: truncate the index tables", "after: truncate the index tables"})
  void isEmptiedWithItsBaseTable(String step) throws Exception {
    indexes.createIndex(base, price(), List.of());
    indexes.waitUntilActive(base, PATIENCE);
    admin().disableTable(base);
    CountDownLatch died = dieBehind(step);
    admin().truncateTable(base, true);
    awaitNext(died);
    awaitEnd();
    indexes.waitUntilActive(base, PATIENCE);
    assertThat(entries()).isZero();
  }

  /** Such a procedure may have been begun by a master without Spyhop. */
  @Tag(TestCluster.NEEDS_2_6)
  @Test
  void isBuiltAgainWhenARegionOfItsTableWasTruncated() throws Exception {
    IndexDefinition index = price();
    indexes.createIndex(base, index, List.of(5L));
    indexes.waitUntilActive(base, PATIENCE);
    cluster
        .util()
        .getMiniHBaseCluster()
        .getMaster()
        .getMasterCoprocessorHost()
        .findCoprocessor(DyingMaster.class)
        .refuseNothing();
    RegionInfo second = admin().getRegions(indexTable).get(1);
    assertThat(second.getStartKey()).isNotEmpty();
    admin().truncateRegion(second.getRegionName());
    await("the index to be built again").atMost(PATIENCE).until(() -> entries() == 1);
    assertMade(index);
  }

  @ParameterizedTest
  @ValueSource(strings = {"before: drop the index tables", "after: drop the index tables"})
  void goesWithItsBaseTable(String step) throws Exception {
    indexes.createIndex(base, price(), List.of());
    admin().disableTable(base);
    CountDownLatch died = dieBehind(step);
    admin().deleteTable(base);
    awaitNext(died);
    awaitEnd();
    assertThat(admin().tableExists(indexTable)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"before: un-build the index tables", "after: un-build the index tables"})
  void followsItsBaseTable(String step) throws Exception {
    IndexDefinition index = price();
    indexes.createIndex(base, index, List.of());
    indexes.waitUntilActive(base, PATIENCE);
    CountDownLatch died = dieBehind(step);
    admin()
        .modifyColumnFamily(
            base,
            ColumnFamilyDescriptorBuilder.newBuilder(admin().getDescriptor(base).getColumnFamily(F))
                .setMaxVersions(3)
                .build());
    awaitNext(died);
    awaitEnd();
    assertThat(admin().getDescriptor(base).getColumnFamily(F).getMaxVersions()).isEqualTo(3);
    assertMade(index);
  }
}
