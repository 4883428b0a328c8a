package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.exec.SortedRows;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.Directory;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries and scans of a bucketed table, in its users' keys. */
class BucketedQueryTest {
  private static final int ROWS = 200;
  private static final BucketOptions OPTIONS = BucketOptions.usual().withBits(4);
  private static final BucketKeys KEYS = OPTIONS.keys();

  private final FakeCluster cluster = new FakeCluster();
  private final Spyhop spyhop = Spyhop.connect(cluster.connection());

  @BeforeEach
  void fill() {
    declare(OPTIONS.text());
    cluster.descriptor =
        IndexSchema.withIndex(
            cluster.descriptor,
            IndexDefinition.builder("n").column("d:n").type(ValueType.LONG).build());
    cluster.splitAt(
        Stream.concat(Stream.of(new byte[0]), Stream.of(Directory.even(4).splitKeys()))
            .toArray(byte[][]::new));
    for (int i = 0; i < ROWS; i++) {
      cluster.put(KEYS.stored(Bytes.toBytes(key(i))), "d:n", Bytes.toBytes((long) i % 10));
    }
  }

  private void declare(String buckets) {
    cluster.descriptor =
        TableDescriptorBuilder.newBuilder(cluster.descriptor)
            .setValue(BucketOptions.KEY, buckets)
            .build();
  }

  @AfterEach
  void close() {
    spyhop.close();
    assertThat(cluster.openScanners).as("open scanners").hasValue(0);
  }

  private static String key(int i) {
    return String.format("k%03d", i);
  }

  private static List<String> keys(int from, int to, int residue) {
    return IntStream.range(from, to)
        .filter(i -> residue < 0 || i % 10 == residue)
        .mapToObj(BucketedQueryTest::key)
        .toList();
  }

  private List<String> rows(Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(FakeCluster.TABLE).query(query)) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  private List<String> rows(Scan scan, RowOrder order) throws IOException {
    List<String> rows = new ArrayList<>();
    try (BucketedTable table = spyhop.bucketed(FakeCluster.TABLE);
        ResultScanner scanner = table.getScanner(scan, order)) {
      for (Result r : scanner) {
        rows.add(Bytes.toString(r.getRow()));
      }
    }
    return rows;
  }

  /** Rows are sorted in memory, or, with no memory for that, merged from a run of each prefix. */
  @ParameterizedTest
  @ValueSource(longs = {16 << 20, 0})
  void queriesHaveUsersKeysInTheirOrder(long sorting) throws IOException {
    cluster.configuration.setLong(SortedRows.BYTES, sorting);
    assertThat(rows(Query.where("n >= 0"))).isEqualTo(keys(0, ROWS, -1));
    assertThat(rows(Query.where("n = 3"))).isEqualTo(keys(0, ROWS, 3));
    assertThat(rows(Query.where("n = 3").range(bytes("k050"), bytes("k100"))))
        .isEqualTo(keys(50, 100, 3));
    assertThat(rows(Query.where("n = 3").limit(4))).isEqualTo(keys(0, 40, 3));
    assertThat(rows(Query.where("n >= 0").limit(4)))
        .as("every bucket has more rows than are wanted")
        .isEqualTo(keys(0, 4, -1));
    assertThat(rows(Query.where("n = 3").range(bytes("k050"), new byte[0]).limit(2)))
        .isEqualTo(keys(50, 70, 3));
    assertThat(rows(Query.where("n > 100"))).isEmpty();
    assertThat(rows(Query.where("n = 3").range(bytes("x"), bytes("b")))).isEmpty();
  }

  @Test
  void rowsComeBucketByBucketIfTheirOrderDoesNotMatter() throws IOException {
    Query any = Query.where("n >= 0").rowOrder(RowOrder.ANY);
    List<String> rows = rows(any);
    assertThat(rows).containsExactlyInAnyOrderElementsOf(keys(0, ROWS, -1));
    assertThat(rows.stream().map(k -> Bytes.toHex(KEYS.stored(bytes(k)))))
        .as("stored rows")
        .isSorted();
    assertThat(cluster.scans).as("a scan of each region").hasSize(4);
    assertThat(rows(any.limit(7))).hasSize(7).isSubsetOf(rows);
    assertThat(any).hasToString("WHERE n >= 0 IN ANY ORDER");
  }

  @Test
  void scansHaveUsersKeysInTheirOrder() throws IOException {
    assertThat(rows(new Scan(), RowOrder.KEY)).isEqualTo(keys(0, ROWS, -1));
    Scan some = new Scan().withStartRow(bytes("k020")).withStopRow(bytes("k120"), true);
    assertThat(rows(some, RowOrder.KEY)).isEqualTo(keys(20, 121, -1));
    assertThat(rows(new Scan(some).setLimit(5), RowOrder.KEY)).isEqualTo(keys(20, 25, -1));
    Scan behind = new Scan().withStartRow(bytes("k020"), false).withStopRow(bytes("k022"));
    assertThat(rows(behind, RowOrder.KEY)).containsExactly("k021");
  }

  @Test
  void scansInAnyOrderAreOneOfEachRegion() throws IOException {
    Scan some = new Scan().withStartRow(bytes("k020")).withStopRow(bytes("k120"));
    assertThat(rows(some, RowOrder.ANY)).containsExactlyInAnyOrderElementsOf(keys(20, 120, -1));
    assertThat(cluster.scans).hasSize(4);
    assertThat(rows(new Scan(some).setLimit(3), RowOrder.ANY)).hasSize(3);
  }

  @Test
  void whatWouldSeeStoredRowsIsRefused() throws IOException {
    Scan scan = new Scan().setFilter(new FilterList(new PrefixFilter(bytes("k"))));
    assertThatThrownBy(() -> rows(scan, RowOrder.KEY))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("PrefixFilter would see stored rows");
    assertThatThrownBy(() -> spyhop.table(FakeCluster.TABLE).getScanner(new Scan()))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("through BucketedTable");
    try (BucketedTable table = spyhop.bucketed(FakeCluster.TABLE)) {
      assertThatThrownBy(() -> table.get(new Get(new byte[32_766])))
          .isInstanceOf(InvalidBucketsException.class)
          .hasMessageContaining("room for 32765");
    }
  }

  /** Rows of equal values are in the order of users' keys, whatever order is said to be enough. */
  @Test
  void rowsAreSortedByValuesHere() throws IOException {
    List<String> sorted =
        IntStream.range(0, 10).mapToObj(n -> keys(0, ROWS, n)).flatMap(List::stream).toList();
    assertThat(rows(Query.all().orderBy("n"))).isEqualTo(sorted);
    assertThat(rows(Query.where("n >= 8").orderBy("n", Order.DESC).limit(ROWS / 10 + 3)))
        .isEqualTo(Stream.concat(keys(0, ROWS, 9).stream(), keys(0, 30, 8).stream()).toList());
    Query some = Query.all().orderBy("d:n").range(bytes("k050"), bytes("k100"));
    assertThat(rows(some.rowOrder(RowOrder.ANY).limit(7)))
        .isEqualTo(Stream.concat(keys(50, 100, 0).stream(), keys(50, 70, 1).stream()).toList());
    assertThat(cluster.scans)
        .as("no region is asked for an order")
        .noneMatch(scan -> scan.getFilter() instanceof ValueOrderFilter);
    assertThat(spyhop.table(FakeCluster.TABLE).explain(some).toText())
        .contains("sorted by the client");
  }

  @Test
  void unknownBucketsAreRefused() {
    declare(OPTIONS.text().replace("murmur3_32:1", "md5:3"));
    assertThatThrownBy(() -> rows(Query.where("n = 3")))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("table 'orders': unknown hash function 'md5:3'");
    assertThatThrownBy(() -> spyhop.bucketed(FakeCluster.TABLE))
        .hasMessageContaining("unknown hash function 'md5:3'");
  }

  @Test
  void aPlainTableHasNone() {
    cluster.descriptor =
        TableDescriptorBuilder.newBuilder(cluster.descriptor)
            .removeValue(BucketOptions.KEY)
            .build();
    assertThatThrownBy(() -> spyhop.bucketed(FakeCluster.TABLE))
        .isInstanceOf(InvalidBucketsException.class)
        .hasMessageContaining("table 'orders' has no buckets");
  }

  private static byte[] bytes(String of) {
    return Bytes.toBytes(of);
  }
}
