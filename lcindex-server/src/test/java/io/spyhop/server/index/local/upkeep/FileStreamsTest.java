package io.spyhop.server.index.local.upkeep;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.hook.SpyhopRegion;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.example.RewritingObserver;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Of flushes and compactions, the columnar files that are built while they write. */
class FileStreamsTest {
  private static final int INDEXES = 3;

  /** Those and the file of the rows. */
  private static final int ALL = INDEXES + 1;

  private static final byte[] G = Bytes.toBytes("g");

  private static IndexedTableFixture table(UnaryOperator<ColumnFamilyDescriptorBuilder> family)
      throws IOException {
    return new IndexedTableFixture(TestCluster.get(), Layout.COLUMNAR, family);
  }

  private static long streamed() {
    return TestCluster.get().sum(m -> m.streamedFiles);
  }

  private static long rebuilt() {
    return TestCluster.get().sum(m -> m.rebuiltFiles);
  }

  private static void write(IndexedTableFixture t, String prefix) throws IOException {
    for (int i = 0; i < 20; i++) {
      t.price(prefix + i, i);
    }
    t.put(prefix + 1, "name", Bytes.toBytes("one"));
    t.flushAndIndex();
  }

  private static void assertAnswers(IndexedTableFixture t) throws IOException {
    assertThat(t.agreed(column("price").between(1, 3)))
        .containsExactly("a1", "a2", "a3", "b1", "b2", "b3");
    assertThat(t.agreed(column("name").eq("one"))).containsExactly("a1", "b1");
  }

  private static void compact(IndexedTableFixture t) throws IOException {
    Regions.compact(TestCluster.get(), t.name(), true);
    Regions.awaitCovered(TestCluster.get(), t.name());
  }

  @Test
  void neitherFlushedNorCompactedFilesAreRead() throws IOException {
    try (IndexedTableFixture t = table(f -> f)) {
      long before = streamed();
      long rebuilt = rebuilt();
      write(t, "a");
      assertThat(streamed() - before).isEqualTo(ALL);
      write(t, "b");
      assertThat(streamed() - before).isEqualTo(2 * ALL);
      assertAnswers(t);
      compact(t);
      assertThat(streamed() - before).isEqualTo(3 * ALL);
      assertThat(rebuilt()).isEqualTo(rebuilt);
      assertAnswers(t);
    }
  }

  @Test
  void placesInEncodedBlocksAreForetold() throws IOException {
    for (DataBlockEncoding encoding :
        List.of(DataBlockEncoding.FAST_DIFF, DataBlockEncoding.ROW_INDEX_V1)) {
      try (IndexedTableFixture t = table(f -> f.setDataBlockEncoding(encoding))) {
        long before = streamed();
        write(t, "a");
        write(t, "b");
        assertThat(streamed() - before).isEqualTo(2 * ALL);
        compact(t);
        assertThat(streamed() - before).isEqualTo(3 * ALL);
        assertAnswers(t);
      }
    }
  }

  @Test
  void rowsOfWhichSomeHaveTagsAreRead() throws IOException {
    try (IndexedTableFixture t = table(f -> f)) {
      long before = streamed();
      t.table()
          .put(
              new Put(Bytes.toBytes("c"))
                  .addColumn(IndexedTableFixture.F, Bytes.toBytes("price"), Bytes.toBytes(7.0))
                  .setTTL(1_000_000));
      write(t, "a");
      assertThat(streamed() - before).isEqualTo(INDEXES);
      write(t, "b");
      assertThat(streamed() - before).isEqualTo(INDEXES + ALL);
      compact(t);
      assertThat(streamed() - before).isEqualTo(2 * INDEXES + ALL);
      assertAnswers(t);
    }
  }

  /** HBase writes the files of all families before it commits the first. */
  @Test
  void filesOfAllFamiliesAreStreamed() throws IOException {
    try (IndexedTableFixture t =
        IndexedTableFixture.with(TestCluster.get(), FileStreamsTest::twoFamilies)) {
      long before = streamed();
      t.table()
          .put(
              new Put(Bytes.toBytes("a1"))
                  .addColumn(G, Bytes.toBytes("size"), Bytes.toBytes(5L))
                  .addColumn(IndexedTableFixture.F, Bytes.toBytes("size"), Bytes.toBytes(5L)));
      t.flushAndIndex();
      assertThat(streamed() - before).isEqualTo(ALL + 1 + 2);
    }
  }

  private static TableDescriptorBuilder twoFamilies(TableDescriptorBuilder table) {
    TableDescriptor d =
        table
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
            .build();
    for (String family : List.of("f", "g")) {
      d =
          IndexSchema.withIndex(
              d,
              IndexDefinition.builder("size_" + family)
                  .column(family + ":size")
                  .type(ValueType.LONG)
                  .layout(Layout.COLUMNAR)
                  .build());
    }
    return TableDescriptorBuilder.newBuilder(d);
  }

  /** HBase closes the hooks of a region before what it still writes. */
  @Test
  void aRegionThatClosesKeepsNothing() throws IOException {
    try (IndexedTableFixture t = table(f -> f)) {
      write(t, "a");
      write(t, "b");
      HStore store = t.region().getStore(IndexedTableFixture.F);
      streamsOf(t)
          .compacting(store, new NoCells(), new CompactionRequestImpl(store.getStorefiles()));
      assertThat(streams()).isEqualTo(1);
      Regions.move(TestCluster.get(), t.name());
      Regions.awaitCovered(TestCluster.get(), t.name());
      assertThat(streams()).isZero();
      assertAnswers(t);
    }
  }

  /** Of a compaction or flush. */
  private static final class NoCells implements InternalScanner {
    @Override
    public boolean next(List<Cell> result, ScannerContext context) {
      return false;
    }

    @Override
    public void close() {}
  }

  private static FileStreams streamsOf(IndexedTableFixture t) {
    return t.region()
        .getCoprocessorHost()
        .findCoprocessor(SpyhopRegion.class)
        .maintainer()
        .orElseThrow()
        .streams();
  }

  private static long streams() {
    return TestCluster.get().sum(m -> m.streams);
  }

  /** Its scanner is closed before it has given all cells. */
  @Test
  void aCompactionThatFailsKeepsNothing() throws IOException {
    try (IndexedTableFixture t = table(f -> f)) {
      write(t, "a");
      HStore store = t.region().getStore(IndexedTableFixture.F);
      InternalScanner read =
          streamsOf(t)
              .compacting(store, new NoCells(), new CompactionRequestImpl(store.getStorefiles()));
      assertThat(streams()).isEqualTo(1);
      read.close();
      assertThat(streams()).isZero();
    }
  }

  /** Nobody takes what was built for an index that is gone. */
  @Test
  void filesThatAreNotWantedAnyMoreGo() throws IOException {
    try (IndexedTableFixture t = table(f -> f)) {
      write(t, "a");
      HStore store = t.region().getStore(IndexedTableFixture.F);
      FileStreams streams = streamsOf(t);
      streams.flushing(store, new NoCells());
      streams.flushed(store, store.getStorefiles().iterator().next());
      assertThat(streams()).isEqualTo(1);
      t.price("b", 1);
      t.flushAndIndex();
      Awaitility.await("the files to be gone").until(() -> streams() == 0);
    }
  }

  /** Others may change what is written. */
  @Test
  void underForeignObserversAllIsRead() throws IOException {
    try (IndexedTableFixture t =
        IndexedTableFixture.with(TestCluster.get(), FileStreamsTest::observed)) {
      long before = streamed();
      write(t, "a");
      write(t, "b");
      compact(t);
      assertThat(streamed()).isEqualTo(before);
      double rewritten = Bytes.toDouble(RewritingObserver.rewritten(Bytes.toBytes(3.0)));
      assertThat(t.agreed(column("price").eq(rewritten))).containsExactly("a3", "b3");
    }
  }

  private static TableDescriptorBuilder observed(TableDescriptorBuilder table) {
    try {
      return table
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F))
          .setCoprocessor(RewritingObserver.class.getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
