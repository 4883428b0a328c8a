package io.spyhop.server.index.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Spyhop;
import io.spyhop.client.ViewStatus;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.store.ViewStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Views come, grow and go with the HFiles of a table in a cluster. */
class ViewUpkeepTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final byte[] F = IndexedTableFixture.F;
  private static final byte[] Q = Bytes.toBytes("price");
  private static final int ROWS = 100;

  private final TestCluster cluster = TestCluster.get();
  private IndexedTableFixture table;
  private int base;

  @BeforeEach
  void create() throws IOException {
    table =
        new IndexedTableFixture(
            option(f -> f.setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)));
  }

  @AfterEach
  void delete() throws Exception {
    table.close();
  }

  private static UnaryOperator<ColumnFamilyDescriptorBuilder> option(
      UnaryOperator<ColumnFamilyDescriptorBuilder> more) {
    return f -> more.apply(f.setValue(ViewOption.NAME, "true"));
  }

  @Test
  void aViewGrowsWithAFlushAndScansReadIt() throws IOException {
    fill(3);
    awaitView(3);
    table.price("0050-x", 1.0);
    region().flush(true);
    awaitView(4);
    long scans = count(m -> m.viewScans);
    assertThat(rows()).hasSize(3 * ROWS + 1);
    assertThat(count(m -> m.viewScans)).isGreaterThan(scans);
  }

  @Test
  void aCompactionDropsItAndAFlushMakesANewOne() throws IOException {
    fill(3);
    awaitView(3);
    region().compact(true);
    await().atMost(PATIENCE).until(() -> store().view() == null);
    assertThat(rows()).hasSize(3 * ROWS);
    fill(1);
    awaitView(2);
    assertThat(rows()).hasSize(4 * ROWS);
  }

  /** Of three HFiles HBase would begin a compaction after the bulk load. */
  @Test
  void aBulkLoadIsInIt() throws IOException {
    fill(1);
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      cells.add(new KeyValue(key(i), F, Q, 7_000_000_000_000L, Bytes.toBytes(0.5)));
    }
    BulkFile.load(cluster, table.name(), BloomType.ROW, cells);
    awaitView(2);
    List<Result> rows = rows();
    assertThat(rows).hasSize(ROWS);
    assertThat(rows.get(0).getValue(F, Q)).isEqualTo(Bytes.toBytes(0.5));
  }

  @Test
  void anIndexAnswersOnATableWithViews() throws Exception {
    fill(3);
    awaitView(3);
    table.flushAndIndex();
    long indexed = cluster.indexedQueries();
    assertThat(table.agreed(Predicates.column("price").eq(7.0))).hasSize(3);
    assertThat(cluster.indexedQueries()).isGreaterThan(indexed);
  }

  @Test
  void aRegionThatOpensAgainReadsTheViewThatWasWritten() throws IOException {
    fill(2);
    awaitView(2);
    awaitFile();
    long made = count(m -> m.mergedViews);
    move();
    awaitView(2);
    assertThat(count(m -> m.mergedViews)).isEqualTo(made);
  }

  @Test
  void aDamagedFileIsMadeAgain() throws IOException {
    fill(2);
    awaitView(2);
    Path file = awaitFile();
    FileSystem fs = region().getRegionFileSystem().getFileSystem();
    long damaged = count(m -> m.damagedViews);
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.writeUTF("no view");
    }
    move();
    awaitView(2);
    assertThat(count(m -> m.damagedViews)).isGreaterThan(damaged);
  }

  @Test
  void otherEncodingsHaveNoViewAndNoError() throws Exception {
    table.close();
    table =
        new IndexedTableFixture(option(f -> f.setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)));
    fill(3);
    assertThat(region().getStore(F)).isNotInstanceOf(ViewStore.class);
    assertThat(rows()).hasSize(3 * ROWS);
  }

  /** A position has no room for cells that begin beyond the first megabyte of a block. */
  @Test
  void anHFileOfLongBlocksIsReadBesideIt() throws Exception {
    table.close();
    table = IndexedTableFixture.clustering(option(f -> f.setBlocksize(3 << 20)), t -> t);
    fill(2);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      puts.add(new Put(key(i, 3)).addColumn(F, Bytes.toBytes("long"), new byte[200_000]));
    }
    table.table().put(puts);
    region().flush(true);
    awaitView(2);
    await("the HFile to be left out")
        .atMost(PATIENCE)
        .until(
            () -> {
              try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
                ViewStatus status = spyhop.admin().viewStatus(table.name()).get(0);
                return !status.isPending() && status.problem().isEmpty();
              }
            });
    assertThat(rows()).hasSize(2 * ROWS + 10);
    fill(1);
    awaitView(3);
    assertThat(rows()).hasSize(3 * ROWS + 10);
  }

  /** Several flushes, each of rows between those of the others. */
  private void fill(int flushes) throws IOException {
    for (int f = 0; f < flushes; f++) {
      int files = region().getStore(F).getStorefilesCount();
      int first = base++;
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(key(i, first)).addColumn(F, Q, Bytes.toBytes((double) i)));
      }
      table.table().put(puts);
      region().flush(true);
      assertThat(region().getStore(F).getStorefilesCount()).isEqualTo(files + 1);
    }
  }

  private static byte[] key(int i) {
    return key(i, 0);
  }

  private static byte[] key(int i, int file) {
    return Bytes.toBytes(String.format("%04d-%d", i, file));
  }

  /** The file of the view, once it has been written. */
  private Path awaitFile() {
    Path file = new Path(region().getRegionFileSystem().getRegionDir(), ViewFiles.NAME + "/f");
    FileSystem fs = region().getRegionFileSystem().getFileSystem();
    await().atMost(PATIENCE).until(() -> fs.exists(file));
    return file;
  }

  /** To another server; a scan asks for the view. Three HFiles HBase would compact there. */
  private void move() throws IOException {
    Regions.move(cluster, table.name());
    assertThat(rows()).hasSize(2 * ROWS);
  }

  private HRegion region() {
    return cluster.regions(table.name()).get(0);
  }

  private ViewStore store() {
    return (ViewStore) region().getStore(F);
  }

  private void awaitView(int files) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              SortedView view = store().view();
              assertThat(view == null ? 0 : view.runs().size())
                  .as(() -> "HFiles in the view; " + status())
                  .isEqualTo(files);
            });
  }

  private String status() {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      return store().getStorefiles() + ", " + spyhop.admin().viewStatus(table.name());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Result> rows() throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(new Scan().addFamily(F))) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  private long count(Function<ServerMetrics, Counter> counter) {
    return cluster.sum(counter);
  }
}
