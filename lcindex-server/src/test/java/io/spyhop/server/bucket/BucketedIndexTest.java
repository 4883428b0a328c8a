package io.spyhop.server.bucket;

import static io.spyhop.server.bucket.BucketedTwins.D;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexPage;
import io.spyhop.client.Order;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.RowOrder;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Indexes of all kinds answer of a bucketed table what they answer of a plain one. */
class BucketedIndexTest {
  private static final int ROWS = 400;
  private static final long LATER = 4_000_000_000_000L;

  private final Random random = new Random(11);

  private static IndexDefinition index(String name, IndexKind kind) {
    return IndexDefinition.builder(name)
        .kind(kind)
        .column("d:" + name)
        .type(ValueType.LONG)
        .build();
  }

  @Test
  void queriesHaveTheAnswersOfAPlainTable() throws Exception {
    BucketOptions options = BucketOptions.usual(4).withBits(5);
    try (BucketedTwins twins = new BucketedTwins(options)) {
      fill(twins, 0);
      for (TableName table : List.of(twins.bucketedName(), twins.plainName())) {
        twins
            .spyhop()
            .admin()
            .createIndexes(
                table,
                List.of(
                    index("l", IndexKind.LOCAL),
                    index("g", IndexKind.GLOBAL),
                    index("s", IndexKind.STATS)));
        Regions.flush(TestCluster.get(), table);
        twins.spyhop().admin().waitUntilActive(table, Duration.ofMinutes(2));
      }
      fill(twins, 1);
      for (int i = 0; i < 12; i++) {
        ask(twins, Query.where(condition()));
      }
      inOrder(twins);
      ways(twins);
      byValue(twins);
    }
  }

  /** A region is asked for its share of the first rows and some more; it may have all of them. */
  @Test
  void theFirstRowsMayLieInOneBucket() throws Exception {
    BucketOptions options = BucketOptions.usual(4).withBits(5);
    try (BucketedTwins twins = new BucketedTwins(options)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        byte[] key = Bytes.toBytes(String.format("row%04d", i));
        boolean first = (options.keys().stored(key)[0] & 0xC0) == 0;
        puts.add(
            new Put(key)
                .addColumn(D, Bytes.toBytes("l"), Bytes.toBytes(first || i > 1_900 ? 1L : 2L + i)));
      }
      twins.both(
          t -> {
            t.put(new ArrayList<>(puts));
            return true;
          });
      for (TableName table : List.of(twins.bucketedName(), twins.plainName())) {
        twins.spyhop().admin().createIndexes(table, List.of(index("l", IndexKind.LOCAL)));
        Regions.flush(TestCluster.get(), table);
        twins.spyhop().admin().waitUntilActive(table, Duration.ofMinutes(2));
      }
      for (int limit : new int[] {5, 10, 40}) {
        for (String hint : List.of("auto", "scan", "index")) {
          Query few = Query.where("l = 1").hint(hint).limit(limit);
          assertThat(rows(twins, twins.bucketedName(), few))
              .as("limit %s, hint %s", limit, hint)
              .isEqualTo(rows(twins, twins.plainName(), few));
        }
      }
    }
  }

  /** The paper's interface has users' keys, too. */
  private static void byValue(BucketedTwins twins) throws IOException {
    List<Set<String>> answers = new ArrayList<>();
    for (TableName name : List.of(twins.bucketedName(), twins.plainName())) {
      DeferredIndexTable table = twins.spyhop().deferred(name, "g");
      table.write(Bytes.toBytes("row005"), 99L, 10);
      table.write(Bytes.toBytes("row006"), 98L, LATER);
      table.enteringFromClient().write(Bytes.toBytes("row007"), 97L, LATER);
      table.delete(Bytes.toBytes("row008"), LATER);
      Set<String> rows = new TreeSet<>();
      for (Optional<Paging> p = Optional.of(Paging.first(3)); p.isPresent(); ) {
        IndexPage page = table.readRange(20L, 98L, Long.MAX_VALUE, 1, p.get());
        page.cells().forEach(c -> rows.add(Bytes.toString(c.row()) + Bytes.toLong(c.value())));
        p = page.next().map(next -> Paging.from(3, next));
      }
      table
          .readKey(Bytes.toBytes("row007"), Long.MAX_VALUE, 1)
          .forEach(c -> rows.add(Bytes.toString(c.row()) + "=" + Bytes.toLong(c.value())));
      answers.add(rows);
    }
    assertThat(answers.get(0)).contains("row00698", "row00797", "row007=97");
    assertThat(answers.get(0)).isEqualTo(answers.get(1));
  }

  private static void fill(BucketedTwins twins, int round) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = round * 7; i < ROWS; i += 1 + 4 * round) {
      Put put = new Put(Bytes.toBytes(String.format("row%03d", i)));
      for (String column : List.of("l", "g", "s")) {
        put.addColumn(D, Bytes.toBytes(column), Bytes.toBytes((long) (i * 37 + round) % 50));
      }
      puts.add(put);
    }
    Delete delete = new Delete(Bytes.toBytes("row013"));
    twins.both(
        t -> {
          t.put(puts);
          t.delete(delete);
          return true;
        });
  }

  private String condition() {
    String column = List.of("l", "g", "s").get(random.nextInt(3));
    int value = random.nextInt(50);
    return random.nextBoolean()
        ? column + " = " + value
        : column + " BETWEEN " + value + " AND " + (value + random.nextInt(8));
  }

  private void ask(BucketedTwins twins, Query query) throws IOException {
    List<Query> asked = new ArrayList<>();
    for (String hint : List.of("auto", "scan", "index")) {
      asked.add(query.hint(hint));
      asked.add(query.hint(hint).limit(1 + random.nextInt(6)));
      asked.add(query.hint(hint).range(bound(), bound()));
    }
    for (Query q : asked) {
      List<String> expected = rows(twins, twins.plainName(), q);
      assertThat(rows(twins, twins.bucketedName(), q)).as("%s", q).isEqualTo(expected);
      List<String> any = rows(twins, twins.bucketedName(), q.rowOrder(RowOrder.ANY));
      assertThat(any).as("in any order %s", q).hasSameSizeAs(expected);
      if (q.limit().isEmpty()) {
        assertThat(any).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  /** Eight rows of each value: the limit cuts among rows whose stored order is another. */
  private void inOrder(BucketedTwins twins) throws IOException {
    for (Order direction : Order.values()) {
      for (String column : List.of("l", "g")) {
        Query all = Query.all().orderBy(column, direction);
        for (int limit : List.of(1, 3, 11, 60)) {
          for (String hint : List.of("auto", "index", "scan")) {
            Query q = all.hint(hint).limit(limit);
            same(twins, q);
            same(twins, q.range(bound(), bound()));
          }
        }
        same(twins, all);
      }
    }
    Query first = Query.all().orderBy("g").hint("g").limit(5);
    QueryPlan plan = twins.spyhop().table(twins.bucketedName()).explainAnalyze(first);
    assertThat(plan.global())
        .hasValueSatisfying(
            g -> {
              assertThat(g.index()).isEqualTo("g");
              assertThat(g.entries()).isLessThan(ROWS / 2);
            });
  }

  private static void same(BucketedTwins twins, Query query) throws IOException {
    assertThat(rows(twins, twins.bucketedName(), query))
        .as("%s", query)
        .isEqualTo(rows(twins, twins.plainName(), query));
  }

  private byte[] bound() {
    return Bytes.toBytes(String.format("row%03d", random.nextInt(ROWS)));
  }

  private static List<String> rows(BucketedTwins twins, TableName table, Query query)
      throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = twins.spyhop().table(table).query(query)) {
      cursor.forEach(r -> rows.add(BucketedTwins.text(r)));
    }
    return rows;
  }

  /** The indexes did answer. */
  private static void ways(BucketedTwins twins) throws IOException {
    QueryPlan local =
        twins.spyhop().table(twins.bucketedName()).explainAnalyze(Query.where("l = 7").hint("l"));
    assertThat(local.toText()).contains("local_index");
    QueryPlan global =
        twins.spyhop().table(twins.bucketedName()).explainAnalyze(Query.where("g = 7").hint("g"));
    assertThat(global.global()).hasValueSatisfying(g -> assertThat(g.index()).isEqualTo("g"));
    assertThat(global.global().orElseThrow().reason()).isEmpty();
  }
}
