package io.spyhop.server.bucket;

import static io.spyhop.server.bucket.BucketedTwins.D;
import static io.spyhop.server.bucket.BucketedTwins.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.BucketInfo;
import io.spyhop.client.RowOrder;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.FirstRows;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A bucketed table is what a plain one is, as its users see it. */
class BucketedTableTest {
  private static final BucketOptions OPTIONS = BucketOptions.usual(4).withBits(5);
  private static final byte[] N = Bytes.toBytes("n");
  private static final byte[] C = Bytes.toBytes("c");
  private static final int KEYS = 60;

  private final Random random = new Random(7);

  private byte[] key() {
    return Bytes.toBytes("k" + random.nextInt(KEYS));
  }

  private static byte[] value(int of) {
    return Bytes.toBytes("v" + of % 5);
  }

  @Test
  void operationsDoWhatTheyDoOnAPlainTable() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      for (int i = 0; i < 300; i++) {
        twins.both(operation(i, random.nextInt(12)));
      }
      for (int i = 0; i < KEYS; i++) {
        byte[] key = Bytes.toBytes("k" + i);
        twins.both(t -> text(t.get(new Get(key).addColumn(D, N))));
      }
      twins.both(
          t -> Arrays.toString(t.exists(List.of(new Get(key()), new Get(key())))).length() > 0);
      scans(twins);
    }
  }

  private BucketedTwins.Work operation(int i, int kind) throws IOException {
    byte[] key = key();
    byte[] other = key();
    return switch (kind) {
      case 0, 1 ->
          t -> {
            t.put(
                new Put(key).addColumn(D, N, value(i)).addColumn(D, Bytes.toBytes("m"), value(i)));
            return t.exists(new Get(key));
          };
      case 2 ->
          t -> {
            t.delete(new Delete(key));
            return text(t.get(new Get(key)));
          };
      case 3 ->
          t -> {
            List<Delete> deletes = new ArrayList<>(List.of(new Delete(key).addColumns(D, N)));
            t.delete(deletes);
            return deletes;
          };
      case 4 -> t -> text(t.increment(new Increment(key).addColumn(D, C, i)));
      case 5 -> t -> t.incrementColumnValue(key, D, C, 3);
      case 6 -> t -> text(t.append(new Append(key).addColumn(D, N, value(i))));
      case 7 ->
          t -> {
            CheckAndMutate check =
                CheckAndMutate.newBuilder(key)
                    .ifEquals(D, N, value(i))
                    .build(new Put(key).addColumn(D, N, value(i + 1)));
            return t.checkAndMutate(check).isSuccess();
          };
      case 8 ->
          t -> {
            RowMutations both =
                RowMutations.of(
                    List.of(
                        new Put(key).addColumn(D, N, value(i)),
                        new Delete(key).addColumns(D, Bytes.toBytes("m"))));
            t.mutateRow(both);
            return text(t.get(new Get(key)));
          };
      case 9 -> t -> parts(t.mutateRow(parts(key, i)));
      case 10 ->
          t -> {
            Object[] results = new Object[1];
            t.batch(List.of(parts(key, i)), results);
            return parts((Result) results[0]);
          };
      default -> t -> batch(t, key, other, i);
    };
  }

  private static RowMutations parts(byte[] key, int i) throws IOException {
    return RowMutations.of(
        List.of(
            new Increment(key).addColumn(D, C, 4),
            new Put(key).addColumn(D, N, value(i)),
            new Append(key).addColumn(D, Bytes.toBytes("a"), value(i))));
  }

  /** It has cells, and says that it exists. */
  private static String parts(Result result) {
    return text(result) + result.getExists();
  }

  private static Object batch(Table t, byte[] key, byte[] other, int i) throws Exception {
    List<Row> actions =
        List.of(
            new Get(key),
            new Put(other).addColumn(D, Bytes.toBytes("b"), value(i)),
            new Increment(key).addColumn(D, C, 1),
            CheckAndMutate.newBuilder(Bytes.toBytes("never"))
                .ifNotExists(D, N)
                .build(new Delete(Bytes.toBytes("never"))));
    Object[] results = new Object[actions.size()];
    t.batch(actions, results);
    Result[] got = t.get(List.of(new Get(other), new Get(key)));
    return text((Result) results[2])
        + text(got[0])
        + text(got[1])
        + ((CheckAndMutateResult) results[3]).isSuccess();
  }

  private void scans(BucketedTwins twins) throws IOException {
    twins.scan(new Scan());
    twins.scan(new Scan().setReversed(true));
    twins.scan(new Scan().setLimit(7));
    twins.scan(new Scan().setBatch(1));
    twins.scan(new Scan().setFilter(new KeyOnlyFilter()));
    Scan beforeKeys = new Scan().withStopRow(new byte[] {0});
    twins.scan(beforeKeys);
    twins.scan(new Scan(beforeKeys).setLimit(2));
    twins.scan(new Scan().withStartRow(new byte[] {0}).setReversed(true));
    for (int i = 0; i < 10; i++) {
      Scan some = new Scan().withStartRow(key(), i % 2 == 0).withStopRow(key(), i % 3 == 0);
      twins.scan(some);
      twins.scan(new Scan(some).setCaching(1)); // a server's answer is one row
      twins.scan(new Scan(some).setMaxResultSize(1));
      twins.scan(new Scan(some).setLimit(3));
      twins.scan(new Scan(some).setBatch(1).setLimit(2));
      twins.scan(new Scan(some).addColumn(D, C));
      twins.scan(
          new Scan(some)
              .setFilter(new SingleColumnValueFilter(D, N, CompareOperator.EQUAL, value(i))));
      twins.scan(new Scan(some).setFilter(new FilterList(new KeyOnlyFilter())));
      twins.scan(new Scan(some).setReversed(true));
      twins.scan(new Scan(some).setReversed(true).setLimit(2));
    }
  }

  @Test
  void failuresNameUsersOperations() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      Put wrong = new Put(Bytes.toBytes("w")).addColumn(Bytes.toBytes("x"), N, N);
      Put right = new Put(Bytes.toBytes("r")).addColumn(D, N, N);
      assertThatThrownBy(() -> twins.bucketed().put(List.of(right, wrong)))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              e -> assertThat(e.getRow(0)).isSameAs(wrong));
      assertThat(twins.bucketed().exists(new Get(Bytes.toBytes("r")))).isTrue();
      assertThatThrownBy(() -> twins.bucketed().put(new Put(new byte[32_766]).addColumn(D, N, N)))
          .isInstanceOf(InvalidBucketsException.class);
    }
  }

  /** Bounds may be longer than any key: an inclusive one made exclusive is, of the longest keys. */
  @Test
  void theLongestKeysAreBounds() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) { // HBase's client cannot look for such long rows' regions
        keys.add(Bytes.toBytes("k" + i));
      }
      for (int last : new int[] {0, 'k', 0xFF}) {
        byte[] key = new byte[BucketKeys.MAX_LENGTH];
        Arrays.fill(key, (byte) Math.max(last, 1));
        key[key.length - 1] = (byte) last;
        keys.add(key);
        keys.add(Arrays.copyOf(key, key.length - 1));
      }
      for (byte[] key : keys) {
        twins.both(
            t -> {
              t.put(new Put(key).addColumn(D, N, N));
              return true;
            });
      }
      for (byte[] key : keys.subList(KEYS, keys.size())) {
        twins.scan(new Scan(new Get(key)));
        twins.scan(new Scan().setCaching(1).withStartRow(key, false));
        twins.scan(new Scan().withStopRow(key, true));
        twins.scan(new Scan().withStopRow(Arrays.copyOf(key, HConstants.MAX_ROW_LENGTH)));
        twins.scan(new Scan().withStartRow(Arrays.copyOf(key, HConstants.MAX_ROW_LENGTH)));
        twins.scan(new Scan().setReversed(true).withStartRow(key, true).setLimit(3));
        twins.scan(new Scan().setReversed(true).withStopRow(key, false));
      }
      twins.scan(new Scan().setCaching(1));
      twins.scan(new Scan().setCaching(1).setReversed(true));
    }
  }

  /**
   * A region answers no small scan without a bound, and none of them waits for a table to be on.
   */
  @Test
  void smallScansAreBoundedAndFailAtOnce() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS);
        Table stored = TestCluster.get().connection().getTable(twins.bucketedName())) {
      for (int limit : new int[] {-1, 0, 1_001}) {
        Get get = FirstRows.request(new Scan().setLimit(limit)).toGet(new byte[0]);
        assertThatThrownBy(() -> stored.get(get))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("a small scan of " + limit + " rows");
      }
      Get reversed = FirstRows.request(new Scan().setReversed(true).setLimit(1)).toGet(new byte[0]);
      assertThatThrownBy(() -> stored.get(reversed)).hasMessageContaining("reversed");
      for (String millis : new String[] {"", "x", "-", "99999999999999999999"}) {
        Scan scan =
            new Scan().setLimit(1).setAttribute(Attributes.MOST_MILLIS, Bytes.toBytes(millis));
        Get get = FirstRows.request(scan).toGet(new byte[0]);
        assertThatThrownBy(() -> stored.get(get))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("the time for a small scan");
      }
      TestCluster.get().admin().disableTable(twins.bucketedName());
      assertThatThrownBy(
              () -> {
                try (ResultScanner few = twins.bucketed().getScanner(new Scan().setLimit(3))) {
                  few.next();
                }
              })
          .isInstanceOf(IOException.class);
      TestCluster.get().admin().enableTable(twins.bucketedName());
    }
  }

  /** Regions may have been split since the client looked: then there are rows in the next one. */
  @Test
  void aSmallScanIsWholeWithinItsRegionAlone() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS);
        RegionLocator locator =
            TestCluster.get().connection().getRegionLocator(twins.bucketedName())) {
      for (int i = 0; i < KEYS; i++) {
        twins.bucketed().put(new Put(Bytes.toBytes("k" + i)).addColumn(D, N, N));
      }
      byte[] end = locator.getRegionLocation(new byte[0]).getRegion().getEndKey();
      Scan all = new Scan().setLimit(KEYS);
      FirstRows first = small(twins, new Scan(all).withStopRow(end));
      assertThat(first.whole()).isTrue();
      assertThat(first.rows()).isNotEmpty();
      assertThat(small(twins, all)).extracting(FirstRows::whole).isEqualTo(false);
      assertThat(small(twins, new Scan(all).withStopRow(end, true)).whole()).isFalse();
      FirstRows none = small(twins, new Scan(all).withStopRow(end).setMaxResultSize(1));
      assertThat(none).isEqualTo(new FirstRows(List.of(), false));
      Scan late = new Scan(all).withStopRow(end);
      late.setAttribute(Attributes.MOST_MILLIS, Bytes.toBytes("0"));
      assertThat(small(twins, late)).isEqualTo(new FirstRows(List.of(), false));
    }
  }

  private static FirstRows small(BucketedTwins twins, Scan scan) throws IOException {
    try (Table stored = TestCluster.get().connection().getTable(twins.bucketedName())) {
      Result answer = stored.get(FirstRows.request(scan).toGet(scan.getStartRow()));
      return FirstRows.decode(answer.value());
    }
  }

  @Test
  void rangesOfManyKeysGoOnBehindTheFirstRows() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        puts.add(new Put(Bytes.toBytes("k" + i)).addColumn(D, N, value(i)));
      }
      for (int i = 0; i < 3; i++) { // the longest rows that there can be
        byte[] longest = new byte[BucketKeys.MAX_LENGTH];
        Arrays.fill(longest, (byte) ('l' + i));
        puts.add(new Put(longest).addColumn(D, N, value(i)));
      }
      twins.both(
          t -> {
            t.put(new ArrayList<>(puts));
            return true;
          });
      for (int i = 0; i < 20; i++) {
        twins.scan(new Scan().withStartRow(Bytes.toBytes("k" + random.nextInt(500))));
        byte[] stop = Bytes.toBytes("k" + random.nextInt(500));
        twins.scan(new Scan().withStopRow(stop).setFilter(below(value(3))));
        twins.scan(new Scan().withStartRow(stop).setReversed(true).setMaxResultSize(200));
      }
      Scan counting = new Scan().withStartRow(Bytes.toBytes("k")).setFilter(new PageFilter(20));
      for (RowOrder order : RowOrder.values()) { // of each region
        assertThat(BucketedTwins.rows(twins.bucketed().getScanner(counting, order))).hasSize(80);
      }
    }
  }

  private static Filter below(byte[] value) {
    return new SingleColumnValueFilter(D, N, CompareOperator.LESS, value);
  }

  @Test
  void emptyListsAndUnwantedResultsAreRight() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      byte[] key = Bytes.toBytes("k");
      twins.both(
          t -> {
            t.delete(List.of());
            t.batch(List.of(new Put(key).addColumn(D, N, N)), null);
            return t.exists(new Get(key));
          });
      twins.both(t -> t.getOperationTimeout(TimeUnit.MILLISECONDS));
      twins.both(t -> t.getReadRpcTimeout(TimeUnit.MILLISECONDS));
      twins.both(t -> t.getWriteRpcTimeout(TimeUnit.MILLISECONDS));
      twins.both(t -> t.getRpcTimeout(TimeUnit.MILLISECONDS));
    }
  }

  /** The prefix is where the format says, and any client can read it. */
  @Test
  void aPlainClientSeesStoredRows() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      twins.bucketed().put(new Put(Bytes.toBytes("a")).addColumn(D, N, N));
      try (Table stored = TestCluster.get().connection().getTable(twins.bucketedName())) {
        Result row = stored.get(new Get(Bytes.toBytesBinary("\\x48\\x00a")));
        assertThat(row.getValue(D, N)).isEqualTo(N);
      }
      assertThat(twins.spyhop().buckets().buckets(twins.bucketedName()))
          .extracting(b -> b.bucket().toString())
          .containsExactly("00", "10", "01", "11");
      assertThat(twins.spyhop().buckets().buckets(twins.bucketedName()))
          .allMatch(b -> b.server().isPresent() && b.bytes().isPresent());
      assertThat(twins.spyhop().buckets().buckets(twins.bucketedName()))
          .extracting(BucketInfo::bytes)
          .isNotEmpty();
      assertThatThrownBy(() -> twins.spyhop().buckets().buckets(twins.plainName()))
          .isInstanceOf(InvalidBucketsException.class)
          .hasMessageContaining("has no buckets");
    }
  }

  @Test
  void badInputChangesNothing() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      TableName plain = twins.plainName();
      TableDescriptor there = TestCluster.get().admin().getDescriptor(plain);
      assertThatThrownBy(() -> twins.spyhop().buckets().create(there, OPTIONS))
          .isInstanceOf(TableExistsException.class)
          .hasMessageContaining("gets buckets when it is created");
      TableDescriptor changed =
          TableDescriptorBuilder.newBuilder(there)
              .setValue(BucketOptions.KEY, OPTIONS.text())
              .build();
      assertThatThrownBy(() -> TestCluster.get().admin().modifyTable(changed))
          .hasMessageContaining("it exists, and a table gets buckets when it is created");
      TableDescriptor bucketed = TestCluster.get().admin().getDescriptor(twins.bucketedName());
      TableDescriptor other =
          TableDescriptorBuilder.newBuilder(bucketed)
              .setValue(BucketOptions.KEY, OPTIONS.withBits(6).text())
              .build();
      assertThatThrownBy(() -> TestCluster.get().admin().modifyTable(other))
          .hasMessageContaining("the largest size alone");
      TableDescriptor byHand =
          TableDescriptorBuilder.newBuilder(TableName.valueOf("byhand"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .setValue(BucketOptions.KEY, OPTIONS.text().replace("murmur3_32", "md5"))
              .build();
      assertThatThrownBy(() -> TestCluster.get().admin().createTable(byHand))
          .hasMessageContaining("unknown hash function 'md5:1'");
      assertThat(TestCluster.get().admin().tableExists(byHand.getTableName())).isFalse();
      assertThat(TestCluster.get().admin().getDescriptor(plain)).isEqualTo(there);
    }
  }
}
