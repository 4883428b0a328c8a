package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cursors that are open and hardly read cost little. */
@Timeout(60)
class OpenCursorsTest {
  private static final int ROWS = 900;
  private static final int REGIONS = 3;

  private final FakeCluster cluster = new FakeCluster();
  private final Spyhop spyhop = Spyhop.connect(cluster.connection());
  private final IndexedTable table = spyhop.table(FakeCluster.TABLE);

  @BeforeEach
  void fill() {
    IndexDefinition price =
        IndexDefinition.builder("price").column("d:price").type(ValueType.LONG).build();
    cluster.descriptor = IndexSchema.withIndex(cluster.descriptor, price);
    for (int i = 0; i < ROWS; i++) {
      String region = List.of("a", "g", "p").get(i % REGIONS);
      cluster.put(region + String.format("%04d", i), "d:price", Bytes.toBytes((long) i));
      cluster.put(region + String.format("%04d", i), "d:name", Bytes.toBytes("name"));
    }
  }

  @AfterEach
  void close() {
    spyhop.close();
  }

  /** Waits until nobody reads any more. */
  private int scannedRows() {
    AtomicInteger last = new AtomicInteger(-1);
    await()
        .pollInterval(Duration.ofMillis(50))
        .until(() -> last.getAndSet(cluster.scannedRows.get()) == cluster.scannedRows.get());
    return last.get();
  }

  private static List<String> rest(Iterator<Result> rows) {
    List<String> keys = new ArrayList<>();
    rows.forEachRemaining(r -> keys.add(Bytes.toString(r.getRow())));
    return keys;
  }

  /** Of a region so many rows as are fetched at a time, and of the first one twice. */
  @Test
  void cachingBoundsWhatIsReadForOneRow() throws IOException {
    Query query = Query.where("price >= 0").caching(10);
    List<RowCursor> cursors = new ArrayList<>();
    List<Iterator<Result>> rows = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      cursors.add(table.query(query));
      rows.add(cursors.get(i).iterator());
      assertThat(Bytes.toString(rows.get(i).next().getRow())).isEqualTo("a0000");
      assertThat(scannedRows()).isBetween((i + 1) * 10, (i + 1) * (REGIONS + 1) * 10);
    }
    List<String> all = rest(rows.get(0));
    assertThat(all).hasSize(ROWS - 1).isSorted();
    for (int i = 1; i < 8; i++) {
      assertThat(rest(rows.get(i))).isEqualTo(all);
    }
    cursors.forEach(RowCursor::close);
  }

  /** The scans have no limit of their own where a row may come to nothing. */
  @Test
  void aLimitBoundsItToo() throws IOException {
    try (RowCursor cursor = table.query(Query.where("price >= 0").select("d:name").limit(5))) {
      assertThat(cursor.iterator().next()).isNotNull();
      assertThat(scannedRows()).isLessThanOrEqualTo((REGIONS + 1) * 5);
    }
  }
}
