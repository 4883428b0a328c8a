package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.RowOrder;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.apache.hbase.thirdparty.com.google.common.io.Closer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handles whose table was dropped and created with other buckets, or without, since. */
class StaleHandlesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("stale");
  private static final int KEYS = 100;
  private static final TableDescriptor PLAIN =
      TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
          .build();
  private static final String CONDITION = "CAST(f:f AS STRING) = 'x'";

  private final TestCluster cluster = TestCluster.get();
  private Spyhop spyhop;

  @BeforeEach
  void connect() throws IOException {
    spyhop = Spyhop.connect(cluster.connection());
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    cluster.admin().disableTable(NAME);
    cluster.admin().deleteTable(NAME);
  }

  private void create(int bits) throws IOException {
    spyhop.buckets().create(PLAIN, BucketOptions.usual().withBits(bits));
  }

  private void createAgain(int bits) throws IOException {
    cluster.admin().disableTable(NAME);
    cluster.admin().deleteTable(NAME);
    if (bits == 0) {
      cluster.admin().createTable(PLAIN);
    } else {
      create(bits);
    }
  }

  private static byte[] key(int i) {
    return Bytes.toBytes(String.format("k%03d", i));
  }

  private static Put put(int i) {
    return new Put(key(i)).addColumn(F, F, Bytes.toBytes("x"));
  }

  private static List<Put> puts(int from, int to) {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(put(i));
    }
    return puts;
  }

  private void fill() throws IOException {
    try (Table table = spyhop.open(NAME)) {
      table.put(puts(0, KEYS));
    }
  }

  private static List<String> keys(Iterable<Result> rows) {
    List<String> keys = new ArrayList<>();
    rows.forEach(r -> keys.add(Bytes.toString(r.getRow())));
    return keys;
  }

  private static List<String> keys(int from, int to) {
    return puts(from, to).stream().map(p -> Bytes.toString(p.getRow())).toList();
  }

  private static List<String> sorted(List<String> keys) {
    return List.copyOf(new TreeSet<>(keys));
  }

  /** One handle each, as the first refusal has it look again. */
  private interface Work {
    void with(BucketedTable stale) throws Exception;
  }

  private void withStale(Work work) throws Exception {
    withStale(8, 4, List.of(work));
  }

  /** Does all of it with the same table. */
  private void withStale(int believed, int bits, List<Work> works) throws Exception {
    createAgain(believed);
    try (Closer handles = Closer.create()) {
      List<BucketedTable> stale = new ArrayList<>();
      for (int i = 0; i < works.size(); i++) {
        stale.add(handles.register(spyhop.bucketed(NAME)));
      }
      createAgain(bits);
      for (int i = 0; i < works.size(); i++) {
        assertThat(stale.get(i).options().bits()).isEqualTo(believed);
        works.get(i).with(stale.get(i));
      }
    }
  }

  private void deleteAll() throws IOException {
    try (Table table = spyhop.open(NAME)) {
      table.delete(
          new ArrayList<>(puts(0, KEYS).stream().map(p -> new Delete(p.getRow())).toList()));
    }
  }

  @Test
  void writesGoWhereTheyBelong() throws Exception {
    create(8);
    List<Work> ways =
        List.of(
            t -> {
              for (Put p : puts(0, KEYS)) {
                t.put(p);
              }
            },
            t -> t.put(puts(0, KEYS)),
            t -> {
              List<Row> rows = new ArrayList<>();
              for (int i = 0; i < KEYS; i++) {
                rows.add(
                    i % 3 == 0
                        ? put(i)
                        : i % 3 == 1 ? append(i) : RowMutations.of(List.of(put(i))));
              }
              Object[] results = new Object[KEYS];
              t.batch(rows, results);
              assertThat(results).allMatch(Result.class::isInstance);
            },
            t -> {
              for (int i = 0; i < KEYS; i++) {
                t.append(append(i));
              }
            },
            t -> {
              for (int i = 0; i < KEYS; i++) {
                t.mutateRow(RowMutations.of(List.of(put(i))));
              }
            },
            t -> {
              List<CheckAndMutate> checks = new ArrayList<>();
              for (int i = 0; i < KEYS; i++) {
                checks.add(CheckAndMutate.newBuilder(key(i)).ifNotExists(F, F).build(put(i)));
              }
              assertThat(t.checkAndMutate(checks)).allMatch(CheckAndMutateResult::isSuccess);
            });
    List<Work> checked = new ArrayList<>();
    for (Work way : ways) {
      checked.add(
          stale -> {
            way.with(stale);
            assertThat(stale.options().bits()).isEqualTo(4);
            try (BucketedTable table = spyhop.bucketed(NAME);
                ResultScanner rows = table.getScanner(new Scan())) {
              assertThat(keys(rows)).isEqualTo(keys(0, KEYS));
              assertThat(table.exists(List.of(new Get(key(7)), new Get(key(8)))))
                  .containsExactly(true, true);
            }
            deleteAll();
          });
    }
    withStale(8, 4, checked);
  }

  private static Append append(int i) {
    return new Append(key(i)).addColumn(F, F, Bytes.toBytes("x"));
  }

  /** What was done is not done twice. */
  @Test
  void countersAreCountedOnce() throws Exception {
    create(8);
    withStale(
        stale -> {
          List<Row> counts = new ArrayList<>();
          for (int i = 0; i < KEYS; i++) {
            counts.add(new Increment(key(i)).addColumn(F, F, 1));
          }
          stale.batch(counts, new Object[KEYS]);
          for (int i = 0; i < KEYS; i++) {
            assertThat(Bytes.toLong(stale.get(new Get(key(i))).value())).isEqualTo(1);
          }
        });
  }

  @Test
  void readsFindWhatThereIs() throws Exception {
    create(8);
    List<Work> ways =
        List.of(
            t -> assertThat(t.get(new Get(key(5))).isEmpty()).isFalse(),
            t -> assertThat(t.exists(new Get(key(5)))).isTrue(),
            t -> {
              List<Get> gets = puts(0, KEYS).stream().map(p -> new Get(p.getRow())).toList();
              assertThat(t.get(gets)).noneMatch(Result::isEmpty);
            },
            t -> assertRows(t, new Scan(), RowOrder.KEY, keys(0, KEYS)),
            t -> assertRows(t, new Scan(), RowOrder.ANY, keys(0, KEYS)),
            t -> assertRows(t, new Scan().setLimit(10), RowOrder.KEY, keys(0, 10)),
            t -> assertRows(t, range(), RowOrder.KEY, keys(20, 60)),
            t -> assertRows(t, range(), RowOrder.ANY, keys(20, 60)),
            t -> assertRows(t, range().setBatch(1), RowOrder.KEY, keys(20, 60)),
            t -> {
              Scan reversed = new Scan().withStartRow(key(59)).withStopRow(key(20));
              assertRows(t, reversed.setReversed(true), RowOrder.ANY, keys(21, 60));
            },
            t -> {
              List<Delete> deletes = new ArrayList<>();
              puts(0, KEYS).forEach(p -> deletes.add(new Delete(p.getRow())));
              t.delete(deletes);
              assertThat(deletes).isEmpty();
              assertRows(t, new Scan(), RowOrder.KEY, List.of());
            });
    for (int believed : new int[] {8, 4}) {
      List<Work> filled = new ArrayList<>(ways);
      filled.add(0, stale -> fill());
      withStale(believed, 12 - believed, filled);
    }
  }

  private static Scan range() {
    return new Scan().withStartRow(key(20)).withStopRow(key(60));
  }

  private static void assertRows(
      BucketedTable table, Scan scan, RowOrder order, List<String> expected) throws IOException {
    try (ResultScanner rows = table.getScanner(scan, order)) {
      List<String> found = keys(rows);
      assertThat(order == RowOrder.KEY ? found : sorted(found)).isEqualTo(expected);
    }
  }

  @Test
  void queriesAreBoundAgain() throws Exception {
    create(8);
    Query all = Query.where(CONDITION);
    Query some = all.range(key(20), key(60));
    for (int bits : new int[] {4, 0, 8}) {
      IndexedTable stale = spyhop.table(NAME);
      try (RowCursor rows = stale.query(all)) {
        keys(rows);
      }
      createAgain(bits);
      fill();
      try (RowCursor rows = stale.query(some)) {
        assertThat(keys(rows)).as("range, %d bits", bits).isEqualTo(keys(20, 60));
      }
      try (RowCursor rows = stale.query(all)) {
        assertThat(keys(rows)).as("%d bits", bits).isEqualTo(keys(0, KEYS));
      }
    }
  }

  /** An index that shows nothing has no region asked. */
  @Test
  void noRowsByAnIndexIsNoAnswerOfAnotherTable() throws Exception {
    create(8);
    spyhop
        .admin()
        .createIndex(
            NAME,
            IndexDefinition.builder("value")
                .kind(IndexKind.GLOBAL)
                .column("f:f")
                .type(ValueType.STRING)
                .build());
    spyhop.admin().waitUntilActive(NAME, "value", Duration.ofMinutes(2));
    TableDescriptor indexed = cluster.admin().getDescriptor(NAME);
    IndexedTable stale = spyhop.table(NAME);
    Query one = Query.where("f:f = 'x'").range(key(42), key(43)).hint("value");
    try (RowCursor rows = stale.query(one)) {
      assertThat(keys(rows)).isEmpty();
    }
    cluster.admin().disableTable(NAME);
    cluster.admin().deleteTable(NAME);
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(indexed)
                .removeValue(Bytes.toBytes(BucketOptions.KEY))
                .removeValue(Bytes.toBytes(TableDescriptorBuilder.SPLIT_POLICY))
                .build());
    fill();
    spyhop.admin().waitUntilActive(NAME, "value", Duration.ofMinutes(2));
    try (RowCursor rows = stale.query(one)) {
      assertThat(keys(rows)).isEqualTo(keys(42, 43));
    }
  }

  /** What was read ahead is there; rows that have been handed out cannot be taken back. */
  @Test
  void aScanThatHasBegunGivesAllOrFails() throws Exception {
    create(8);
    for (RowOrder order : RowOrder.values()) {
      withStale(
          stale -> {
            fill();
            try (ResultScanner rows = stale.getScanner(new Scan().setCaching(1), order)) {
              Result first = rows.next();
              createAgain(8);
              fill();
              List<String> found = new ArrayList<>(keys(List.of(first)));
              Throwable failure = catchThrowable(() -> found.addAll(keys(rows)));
              if (failure == null) {
                assertThat(sorted(found)).isEqualTo(keys(0, KEYS));
              } else if (!isOfATableThatIsAway(failure)) {
                assertThat(failure)
                    .hasStackTraceContaining(
                        "led by 8 bits of murmur3_32:1, and the client takes them to be led by 4")
                    .hasStackTraceContaining("open it again (Spyhop.open)");
              }
            }
          });
    }
  }

  /** Rows are read ahead: between the one table and the other there is none. */
  private static boolean isOfATableThatIsAway(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .anyMatch(
            e -> e instanceof TableNotEnabledException || e instanceof TableNotFoundException);
  }

  @Test
  void aPlainTableIsNotTakenForABucketedOne() throws Exception {
    create(8);
    try (BucketedTable stale = spyhop.bucketed(NAME)) {
      createAgain(0);
      fill();
      for (Work way :
          List.<Work>of(
              t -> t.put(put(1)),
              t -> t.put(puts(0, 5)),
              t -> t.get(new Get(key(1))),
              t -> t.exists(new Get(key(1))),
              t -> keys(t.getScanner(new Scan())),
              t -> keys(t.getScanner(range(), RowOrder.ANY)))) {
        assertThatThrownBy(() -> way.with(stale))
            .hasStackTraceContaining("table 'stale' has no buckets");
      }
      try (Table table = cluster.connection().getTable(NAME);
          ResultScanner rows = table.getScanner(new Scan())) {
        assertThat(keys(rows)).isEqualTo(keys(0, KEYS));
      }
    }
  }
}
