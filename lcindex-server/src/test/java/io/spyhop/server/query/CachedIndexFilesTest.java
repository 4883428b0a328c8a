package io.spyhop.server.query;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Blocks that an index query has read are in HBase's block cache. */
class CachedIndexFilesTest {
  private static final int ROWS = 6_000;
  private static final int FILES = 3;
  private static final Query QUERY =
      Query.where("price < 1500").select("price").hint(Attributes.PATH_INDEX);

  /** Other tables of the cluster may miss blocks meanwhile: a few tries, of which one is quiet. */
  @Test
  void aRepeatedQueryMissesNoBlock() throws IOException {
    try (IndexedTableFixture table = new IndexedTableFixture();
        Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      for (int file = 0; file < FILES; file++) {
        table.table().put(rows(file));
        table.flushAndIndex();
      }
      BlockCache cache = table.region().getStore(F).getCacheConfig().getBlockCache().orElseThrow();
      count(spyhop, table);
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () -> {
                long hits = cache.getStats().getHitCount();
                long misses = cache.getStats().getMissCount();
                assertThat(count(spyhop, table)).isEqualTo(1500);
                assertThat(cache.getStats().getMissCount()).isEqualTo(misses);
                assertThat(cache.getStats().getHitCount()).isGreaterThan(hits);
              });
    }
  }

  /** Blocks that are not cached lie in buffers of HBase's pool. */
  @Test
  void theAnswerIsTheSameWithoutTheCache() throws IOException {
    try (IndexedTableFixture table = new IndexedTableFixture()) {
      for (int file = 0; file < FILES; file++) {
        table.table().put(rows(file));
        table.flushAndIndex();
      }
      assertThat(scanned(table, false, Attributes.PATH_INDEX))
          .hasSize(1500)
          .isEqualTo(scanned(table, true, Attributes.PATH_INDEX))
          .isEqualTo(scanned(table, true, Attributes.PATH_SCAN));
    }
  }

  private static List<String> scanned(IndexedTableFixture table, boolean cached, String hint)
      throws IOException {
    PredicateFilter filter = new PredicateFilter(table.bind(Predicates.column("price").lt(1500.0)));
    Scan scan = new Scan().setCacheBlocks(cached).setFilter(filter);
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(hint));
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      for (Result r : scanner) {
        rows.add(Bytes.toString(r.getRow()) + Bytes.toDouble(r.getValue(F, q("price"))));
      }
    }
    return rows;
  }

  /** The files overlap, so that rows are looked for in each. */
  private static List<Put> rows(int file) {
    List<Put> puts = new ArrayList<>();
    for (int i = file; i < ROWS; i += FILES) {
      puts.add(
          new Put(Bytes.toBytes("r%05d".formatted(i)))
              .addColumn(F, q("price"), Bytes.toBytes((double) (i * 7919L % ROWS)))
              .addColumn(F, q("note"), new byte[100]));
    }
    return puts;
  }

  private static int count(Spyhop spyhop, IndexedTableFixture table) throws IOException {
    AtomicInteger rows = new AtomicInteger();
    try (RowCursor cursor = spyhop.table(table.name()).query(QUERY)) {
      cursor.forEach(r -> rows.incrementAndGet());
    }
    return rows.get();
  }
}
