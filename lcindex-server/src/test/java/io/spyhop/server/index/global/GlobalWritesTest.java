package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.F;
import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Every way to write adds its entries, before the write and in its timestamp (DELI, Algorithm 1).
 */
class GlobalWritesTest {
  private static byte[] b(String s) {
    return Bytes.toBytes(s);
  }

  @Test
  void everyKindOfWriteHasItsEntries() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("a", 1), put("b", 2, 77), put("c", 3));
      t.table().put(put("a", 4));
      t.table().increment(new Increment(b("n")).addColumn(F, V, 5));
      t.table().increment(new Increment(b("n")).addColumn(F, V, 5));
      t.table().append(new Append(b("x")).addColumn(F, V, Bytes.toBytes(9L)));
      t.table().mutateRow(RowMutations.of(List.of(put("m", 6), new Delete(b("m"), 5))));
      t.table()
          .checkAndMutate(
              CheckAndMutate.newBuilder(b("a"))
                  .ifEquals(F, V, Bytes.toBytes(4L))
                  .build(put("a", 8)));
      t.table()
          .batch(List.of(put("d", 1), new Increment(b("n")).addColumn(F, V, 1)), new Object[2]);

      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(11);
      assertThat(t.entries()).contains(t.entry("b", 2, 77));
    }
  }

  /** One of them is stored; which, is not known before the batch is. The other is repaired. */
  @Test
  void twoValuesInOneBatchHaveTheirEntriesEach() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      long waiting = waiting(t);
      t.write(put("a", 1, 100), put("a", 2, 100), put("b", 1, 100), put("b", 1, 100));
      assertThat(t.entries())
          .containsExactlyInAnyOrder(
              t.entry("a", 1, 100), t.entry("a", 2, 100), t.entry("b", 1, 100));
      assertThat(t.expected())
          .containsExactlyInAnyOrder(t.entry("a", 2, 100), t.entry("b", 1, 100));
      assertThat(waiting(t)).isEqualTo(waiting + 1);
    }
  }

  /** Nothing is stored of the others: no flush finds their entries, nor the next server. */
  @Test
  void entriesOfOneBatchAreRepairedThoughTheRegionMoves() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitLooked();
      TestCluster cluster = TestCluster.get();
      t.write(put("a", 1, 100), put("a", 2, 100), put("a", 3, 100));
      assertThat(t.entries()).hasSize(3);
      HRegion region = cluster.regions(t.name()).get(0);
      ServerName before = cluster.serverOf(region);
      ServerName other =
          cluster.admin().getRegionServers().stream()
              .filter(s -> !s.equals(before))
              .findFirst()
              .orElseThrow();
      cluster.admin().move(region.getRegionInfo().getEncodedNameAsBytes(), other);
      await("the entries to be repaired")
          .atMost(Duration.ofMinutes(1))
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> t.entries().equals(t.expected()));
    }
  }

  /** Those that fail first find the table disabled, and others that it is gone. */
  @Test
  void writesPassOnceTheirIndexTableIsDeletedByHand() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      TestCluster.get().admin().disableTable(t.indexName());
      CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(t));
      await().atMost(Duration.ofMinutes(1)).until(() -> error(t).contains("are refused"));
      TestCluster.get().admin().deleteTable(t.indexName());
      written.get(1, TimeUnit.MINUTES);
      assertThat(t.table().get(new Get(b("a"))).isEmpty()).isFalse();
    }
  }

  private static void write(GlobalFixture t) {
    try {
      t.table().put(put("a", 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String error(GlobalFixture t) throws IOException {
    return Regions.status(TestCluster.get(), t.name()).get(0).indexes().get(0).lastError();
  }

  private static IndexStatus.Global status(GlobalFixture t) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      return (IndexStatus.Global) spyhop.admin().status(t.name()).get(0);
    }
  }

  private static long waiting(GlobalFixture t) throws Exception {
    return status(t).repairs();
  }

  /** A batch's operations fail, and are bypassed, one by one: the others need their entries. */
  @Test
  void entriesAreOfTheOperationsThatAreStored() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      HRegion region = TestCluster.get().regions(t.name()).get(0);
      region
          .getCoprocessorHost()
          .load(Bypass.class, Coprocessor.PRIORITY_HIGHEST, region.getReadOnlyConfiguration());
      Put failing = put("a", 2, 100).addColumn(b("unknown"), V, b("x"));
      region.batchMutate(new Mutation[] {put("a", 1, 100), failing});
      region.batchMutate(new Mutation[] {put("b", 1, 100), Bypass.mark(put("b", 2, 100))});
      assertThat(t.entries())
          .isEqualTo(t.expected())
          .containsExactlyInAnyOrder(t.entry("a", 1, 100), t.entry("b", 1, 100));
    }
  }

  @Test
  void whatIsBypassedLaterTakesNoEntryAway() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      HRegion region = TestCluster.get().regions(t.name()).get(0);
      region
          .getCoprocessorHost()
          .load(Bypass.class, Coprocessor.PRIORITY_LOWEST, region.getReadOnlyConfiguration());
      region.batchMutate(new Mutation[] {put("b", 1, 100), Bypass.mark(put("b", 2, 100))});
      assertThat(t.expected()).containsExactly(t.entry("b", 1, 100));
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  /** Leaves out operations that are marked. */
  public static final class Bypass implements RegionCoprocessor, RegionObserver {
    private static final String MARK = "bypass";

    static Put mark(Put put) {
      return put.setAttribute(MARK, b("yes"));
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> c,
        MiniBatchOperationInProgress<Mutation> batch) {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.getOperation(i).getAttribute(MARK) != null) {
          batch.setOperationStatus(i, new OperationStatus(OperationStatusCode.SUCCESS));
        }
      }
    }
  }

  @Test
  void otherColumnsAndUndecodableValuesHaveNone() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(
          new Put(b("a")).addColumn(F, b("w"), Bytes.toBytes(1L)),
          new Put(b("b")).addColumn(F, V, b("no number")));
      assertThat(t.entries()).isEmpty();
    }
  }

  @Test
  void rowKeyThatLeavesNoRoomIsRefused() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      byte[] longest = new byte[HConstants.MAX_ROW_LENGTH - 1_000];
      Put put = new Put(longest).addColumn(F, V, Bytes.toBytes(1L));
      assertThatThrownBy(() -> t.table().put(put))
          .hasMessageContaining(t.name().getNameAsString())
          .hasMessageContaining("f:v")
          .hasMessageContaining("31743");
      assertThat(t.expected()).isEmpty();
    }
  }

  @Test
  void withoutItsIndexTableNothingIsWritten() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("a", 1));
      TestCluster.get().admin().disableTable(t.indexName());
      assertThatThrownBy(() -> writeOnce(t, put("b", 2)))
          .hasMessageContaining(t.indexName().getNameAsString());
      TestCluster.get().admin().enableTable(t.indexName());
      t.write(put("c", 3));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(2);
    }
  }

  /** The first index has taken the entry when the write is refused for the second one's sake. */
  @Test
  void entriesOfWritesThatAreRefusedAreRepaired() throws Exception {
    try (GlobalFixture t = new GlobalFixture();
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      IndexDefinition second =
          IndexDefinition.builder("w")
              .kind(IndexKind.GLOBAL)
              .column("f:v")
              .type(ValueType.LONG)
              .build();
      spyhop.admin().createIndex(t.name(), second);
      spyhop.admin().waitUntilActive(t.name(), Duration.ofMinutes(1));
      t.awaitLooked();
      t.write(put("a", 1));
      TableName missing = IndexTable.nameOf(t.name(), "w");
      TestCluster.get().admin().disableTable(missing);
      assertThatThrownBy(() -> writeOnce(t, put("b", 2)))
          .hasMessageContaining(missing.getNameAsString());
      await("the entry to be repaired")
          .atMost(Duration.ofMinutes(1))
          .until(() -> t.entries().equals(t.expected()));
      assertThat(t.entries()).hasSize(1);
      TestCluster.get().admin().enableTable(missing);
    }
  }

  /** Clients try again and again; here once is enough. */
  private static void writeOnce(GlobalFixture t, Put put) throws IOException {
    TestCluster.get().regions(t.name()).get(0).put(put);
  }

  @Test
  void whatWasThereBeforeIsBuilt() throws Exception {
    try (GlobalFixture t = new GlobalFixture(TestCluster.get(), f -> f, d -> d, "c", "f")) {
      var admin = TestCluster.get().admin();
      var with = admin.getDescriptor(t.name());
      admin.modifyTable(IndexSchema.withoutIndex(with, "v"));
      admin.disableTable(t.indexName());
      admin.truncateTable(t.indexName(), true);
      t.write(put("a", 1), put("b", 2), put("c", 3), put("g", 4));
      t.table().delete(new Delete(b("b")));
      assertThat(t.entries()).isEmpty();
      admin.modifyTable(with);
      t.awaitBuilt();
      t.write(put("h", 5));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSizeGreaterThan(3);
    }
  }

  /** A synchronous index may have lost the entry of a version that a loaded marker uncovers. */
  @Test
  void whatALoadedFileUncoversHasItsEntry() throws Exception {
    TestCluster cluster = TestCluster.get();
    try (GlobalFixture t =
        new GlobalFixture(cluster, f -> f, d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitBuilt();
      List<KeyValue> markers = new ArrayList<>();
      for (int i = 100; i < 350; i++) {
        byte[] row = b("r" + i);
        t.write(put("r" + i, 1, 100));
        KeyValue.Type type = i % 2 == 0 ? KeyValue.Type.Delete : KeyValue.Type.DeleteFamilyVersion;
        markers.add(new KeyValue(row, F, i % 2 == 0 ? V : null, 200, type));
      }
      Regions.flush(cluster, t.name());
      for (int i = 100; i < 350; i++) {
        t.write(put("r" + i, 2, 200));
      }
      EntriesByHand.delete(
          cluster,
          t.indexName(),
          IntStream.range(100, 350).mapToObj(i -> new Delete(t.indexRow("r" + i, 1))).toList());
      BulkFile.load(cluster, t.name(), BloomType.NONE, markers);
      assertThat(t.table().get(new Get(b("r100"))).getValue(F, V)).isEqualTo(Bytes.toBytes(1L));
      List<String> expected =
          IntStream.range(100, 350).mapToObj(i -> t.entry("r" + i, 1, 100)).toList();
      assertThat(t.entries()).containsAll(expected);
    }
  }

  @Test
  void pagesFollowOneAnother() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("a", 1), put("b", 1), put("c", 1), put("d", 2));
      var first = t.page(2);
      assertThat(first.entries()).hasSize(2);
      assertThat(first.next()).isPresent();
      byte[] next = new Entry(first.entries().get(0).valueKey(), b("c"), 0).indexRow();
      assertThat(first.next().get()).isEqualTo(next);
      assertThat(t.page(10).next()).isEmpty();
    }
  }
}
