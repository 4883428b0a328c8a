package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.admin.VirtualTime;
import io.spyhop.client.internal.exec.BackgroundExecutor;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.client.internal.query.KnownTables;
import io.spyhop.core.predicate.InvalidPredicateException;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.UnknownColumnException;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.protocol.RegionPlan.Actual;
import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IndexedTableTest {
  private final FakeCluster cluster = new FakeCluster();
  private final Spyhop spyhop = Spyhop.connect(cluster.connection());
  private final IndexedTable table = spyhop.table(FakeCluster.TABLE);

  @BeforeEach
  void fill() {
    declare(index("price", "d:price", ValueType.LONG));
    int i = 0;
    for (String row : List.of("a", "c", "e", "g", "k", "p", "t", "z")) {
      cluster.put(row, "d:price", Bytes.toBytes((long) 10 * i++));
      cluster.put(row, "d:name", Bytes.toBytes("name of " + row));
      if (i % 2 == 0) {
        cluster.put(row, "e:even", Bytes.toBytes("yes"));
      }
    }
  }

  @AfterEach
  void nothingIsLeftOpen() {
    spyhop.close();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (cluster.openScanners.get() > 0 && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(cluster.openScanners).as("open scanners").hasValue(0);
  }

  private static IndexDefinition index(String name, String column, ValueType type) {
    return IndexDefinition.builder(name).column(column).type(type).build();
  }

  private void declare(IndexDefinition index) {
    cluster.descriptor = IndexSchema.withIndex(cluster.descriptor, index);
  }

  private List<String> rows(Query query) throws IOException {
    return show(query, r -> Bytes.toString(r.getRow()));
  }

  private static String cells(Result row) {
    StringBuilder text = new StringBuilder(Bytes.toString(row.getRow()));
    for (Cell c : row.rawCells()) {
      text.append(' ').append(Bytes.toString(CellUtil.cloneQualifier(c)));
    }
    return text.toString();
  }

  private List<String> show(Query query, Function<Result, String> what) throws IOException {
    List<String> shown = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      cursor.forEach(r -> shown.add(what.apply(r)));
      assertThat(cursor.count()).isEqualTo(shown.size());
    }
    return shown;
  }

  @Test
  void findsRowsOfAllRegionsInOrder() throws IOException {
    assertThat(rows(Query.where("price >= 0")))
        .containsExactly("a", "c", "e", "g", "k", "p", "t", "z");
    assertThat(rows(Query.where("price BETWEEN 20 AND 50"))).containsExactly("e", "g", "k", "p");
    assertThat(rows(Query.where("price > 1000"))).isEmpty();
  }

  @Test
  void oneOrdinaryScanForEachRegion() throws IOException {
    rows(Query.where("d.price = 20").caching(7).hint("price"));
    assertThat(cluster.scans)
        .extracting(s -> Bytes.toString(s.getStartRow()) + ".." + Bytes.toString(s.getStopRow()))
        .containsExactlyInAnyOrder("..g", "g..p", "p..");
    for (Scan scan : cluster.scans) {
      assertThat(scan.getFilter()).hasToString("PredicateFilter(d:price = 20)");
      assertThat(scan.getCaching()).isEqualTo(7);
      assertThat(scan.getMaxResultSize()).isEqualTo(-1);
      assertThat(scan.hasFamilies()).isFalse();
      assertThat(scan.getLimit()).isEqualTo(-1);
      assertThat(scan.getAttribute(Attributes.PATH_HINT)).isEqualTo(Bytes.toBytes("price"));
      assertThat(scan.getAttribute(Attributes.QUERY_ID)).isNull();
    }
  }

  @Test
  void keepsToARangeOfRows() throws IOException {
    Query query = Query.where("price >= 0").range(Bytes.toBytes("c"), Bytes.toBytes("k"));
    assertThat(rows(query)).containsExactly("c", "e", "g");
    assertThat(cluster.scans).hasSize(2);
    assertThat(rows(query.range(Bytes.toBytes("k"), Bytes.toBytes("c")))).isEmpty();
  }

  @Test
  void stopsAtTheLimit() throws IOException {
    assertThat(rows(Query.where("price >= 0").limit(4))).containsExactly("a", "c", "e", "g");
    assertThat(cluster.scans).allSatisfy(s -> assertThat(s.getLimit()).isEqualTo(4));
  }

  @Test
  void takesOutWhatOnlyThePredicateNeeds() throws IOException {
    assertThat(show(Query.where("price < 30").select("d:name"), IndexedTableTest::cells))
        .containsExactly("a name", "c name", "e name");
    assertThat(show(Query.where("price < 30").select("e"), IndexedTableTest::cells))
        .as("rows without a selected cell are not shown")
        .containsExactly("c even");
    assertThat(show(Query.where("price < 20").select("d"), IndexedTableTest::cells))
        .containsExactly("a name price", "c name price");
    assertThat(show(Query.where("price < 20").select("d:", "e:even"), IndexedTableTest::cells))
        .containsExactly("a name price", "c name price even");
    assertThat(show(Query.where("price < 20").select("price"), IndexedTableTest::cells))
        .containsExactly("a price", "c price");
  }

  @Test
  void theLimitCountsRowsThatAreShown() throws IOException {
    assertThat(rows(Query.where("price >= 0").select("e").limit(3))).containsExactly("c", "g", "p");
    assertThat(cluster.scans).allSatisfy(s -> assertThat(s.getLimit()).isEqualTo(-1));
  }

  @Test
  void refusesWhatDoesNotFitTheTable() {
    assertThatThrownBy(() -> table.query(Query.where("nosuch = 1")))
        .isInstanceOf(UnknownColumnException.class)
        .hasMessageContaining("orders")
        .hasMessageContaining("nosuch");
    assertThatThrownBy(() -> table.query(Query.where("price = 'cheap'")))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining("d:price");
    assertThatThrownBy(() -> table.query(Query.where("price = 1").hint("nosuch")))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessage(
            "table 'orders' has no index 'nosuch' to be hinted at; hints are auto, scan, index or"
                + " one of [price]");
    assertThatThrownBy(() -> table.query(Query.where("price = 1").select("f:x")))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("has no column family 'f' (selected 'f:x'); it has [d, e]");
    assertThatThrownBy(() -> table.query(Query.where("price = 1").select("name")))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("selected column 'name' is unknown; write family:qualifier");
  }

  @Test
  void saysWhichTableDoesNotExist() {
    IndexedTable nowhere = spyhop.table(TableName.valueOf("nowhere"));
    assertThatThrownBy(() -> nowhere.query(Query.where("price = 1")))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessage("table 'nowhere' does not exist; check the name and its namespace");
  }

  @Test
  void remembersDefinitionsButSeesNewOnes() throws IOException {
    table.bind(Query.where("price = 1"));
    table.bind(Query.where("price = 2"));
    assertThat(cluster.descriptorReads).hasValue(1);
    declare(index("name", "d:name", ValueType.STRING));
    assertThat(rows(Query.where("name LIKE 'name of k%'"))).containsExactly("k");
    assertThat(cluster.descriptorReads).hasValue(2);
  }

  @Test
  void serversOfAnEarlierVersionDoNotTellDefinitions() throws IOException {
    IOException tooNew =
        new IOException(new CorruptFrameException("region request: No enum constant DEFINITIONS"));
    cluster.silence = region -> tooNew;
    assertThat(rows(Query.where("price = 20"))).containsExactly("e");
  }

  @Test
  void showsWhatWouldBeSent() throws IOException {
    Query query = Query.where("NOT (price < 5 OR CAST(d.name AS STRING) IN ('b', 'a'))");
    assertThat(table.bind(query)).hasToString("d:price >= 5 AND d:name NOT IN ('a', 'b')");
    assertThat(table.filter(query).predicate()).isEqualTo(table.bind(query));
  }

  @Test
  void rowsCanBeHadOnce() throws IOException {
    try (RowCursor cursor = table.query(Query.where("price = 0"))) {
      Iterator<Result> rows = cursor.iterator();
      rows.next();
      assertThat(rows.hasNext()).isFalse();
      assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
      assertThatThrownBy(cursor::iterator)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("can be iterated once");
    }
  }

  @Test
  void aClosedCursorHasNoMoreRows() throws IOException {
    RowCursor cursor = table.query(Query.where("price >= 0"));
    Iterator<Result> rows = cursor.iterator();
    rows.next();
    cursor.close();
    assertThat(rows.hasNext()).isFalse();
  }

  @Test
  void aClosedClientRefusesQueries() {
    spyhop.close();
    assertThatThrownBy(() -> table.query(Query.where("price >= 0")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot query table 'orders': the Spyhop client has been closed");
  }

  private static RegionPlan plan(RegionInfo region, String driving) {
    return new RegionPlan(
        region.getEncodedName(),
        "host,16020,1",
        driving.isEmpty() ? RegionPlan.Path.SCAN : RegionPlan.Path.LOCAL_INDEX,
        "cheapest",
        driving,
        List.of(new RegionPlan.Estimate("price", 12, 2, 1)),
        1000,
        2,
        1,
        30,
        Optional.empty());
  }

  @Test
  void explainAsksTheRegionsOfTheRange() throws IOException {
    List<PlanRequest> asked = new ArrayList<>();
    cluster.answers =
        (region, request) -> {
          if (request.kind() == RegionRequest.Kind.SUMMARY) {
            return null;
          }
          assertThat(request.kind()).isEqualTo(RegionRequest.Kind.EXPLAIN);
          asked.add(PlanRequest.decode(request.payload()));
          return region.getStartKey().length == 0 ? null : plan(region, "price").encode();
        };
    Query query =
        Query.where("price = 20").select("e").range(Bytes.toBytes("a"), Bytes.toBytes("p"));
    QueryPlan plan = table.explain(query);
    assertThat(plan.regions()).hasSize(2);
    assertThat(plan.regions().get(0).reason()).isEqualTo("region has no Spyhop coprocessor");
    assertThat(plan.regions().get(0).path()).isEqualTo(RegionPlan.Path.SCAN);
    assertThat(plan.regions().get(0).server()).isEqualTo("host,16020,1");
    assertThat(plan.predicate()).isEqualTo("d:price = 20");
    assertThat(plan.driving()).isEqualTo("price");
    assertThat(plan.isAnalyzed()).isFalse();
    assertThat(asked.get(0).predicate()).isEqualTo(table.bind(query));
    assertThat(asked.get(0).families()).extracting(Bytes::toString).containsExactly("d", "e");
    assertThat(asked.get(0).hint()).isEqualTo("auto");
    assertThat(cluster.scans).isEmpty();
  }

  @Test
  void theGetsOfRequestsReadNoRows() throws IOException {
    table.explain(Query.where("price = 20").pruning(false));
    assertThat(cluster.gets)
        .extracting(g -> Bytes.toStringBinary(g.getRow()))
        .containsExactly("\\x00", "g", "p");
    assertThat(cluster.gets)
        .allSatisfy(g -> assertThat(g.getTimeRange().getMin()).isEqualTo(Long.MAX_VALUE - 1));
  }

  @Test
  void explainAnalyzeRunsTheQueryAndAsksForItsReports() throws IOException {
    List<byte[]> ids = new ArrayList<>();
    cluster.answers =
        (region, request) -> {
          if (request.kind() == RegionRequest.Kind.SUMMARY) {
            return null;
          }
          assertThat(request.kind()).isEqualTo(RegionRequest.Kind.REPORT);
          ids.add(request.payload());
          return plan(region, "price").with(new Actual(5, 3, 4, 2, 1, 2_500_000, "")).encode();
        };
    QueryPlan plan = table.explainAnalyze(Query.where("price >= 20"));
    assertThat(cluster.scans)
        .hasSize(3)
        .allSatisfy(
            s -> assertThat(s.getAttribute(Attributes.QUERY_ID)).hasSize(16).isEqualTo(ids.get(0)));
    assertThat(plan.isAnalyzed()).isTrue();
    assertThat(plan.rows()).as("as the client counted them").isEqualTo(6);
    assertThat(plan.estimatedRecords()).isEqualTo(36);
    assertThat(plan.recordsRead()).isEqualTo(15);
    assertThat(plan.candidates()).isEqualTo(12);
    assertThat(plan.rereads()).isEqualTo(6);
  }

  @Test
  void aRegionThatFailsDoesNotHideTheOthers() throws IOException {
    cluster.answers =
        (region, request) ->
            region.containsRow(Bytes.toBytes("k"))
                ? new IOException("region is moving\nstack trace")
                : region.getStartKey().length == 0
                    ? Bytes.toBytes("a cell that is no answer")
                    : plan(region, "price").encode();
    List<RegionPlan> plans = table.explain(Query.where("price = 20")).regions();
    assertThat(plans.get(0).reason()).startsWith("no answer: region plan: ");
    assertThat(plans.get(1).reason()).isEqualTo("no answer: java.io.IOException: region is moving");
    assertThat(plans.get(2).driving()).isEqualTo("price");
  }

  @Test
  void saysWhichServerLacksTheJar() throws IOException {
    cluster.brokenScans =
        scan ->
            new DoNotRetryIOException(
                "org.apache.hadoop.hbase.DoNotRetryIOException: java.lang.ClassNotFoundException: "
                    + PredicateFilter.class.getName()
                    + "\n\tat org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil.toFilter");
    String said = "region server host,16020,1 of table 'orders' lacks Spyhop's jar";
    assertThatThrownBy(() -> rows(Query.where("price > 1")))
        .hasCauseInstanceOf(SpyhopNotInstalledException.class)
        .hasMessageContaining(said);
    Scan scan = new Scan().setFilter(table.filter(Query.where("price > 1")));
    for (Scan each : List.of(scan, new Scan(scan).setReversed(true))) {
      try (ResultScanner scanner = table.getScanner(each)) {
        assertThatThrownBy(scanner::next)
            .isInstanceOf(SpyhopNotInstalledException.class)
            .hasMessageContaining(said);
      }
    }
  }

  /** As a client that has not asked for a while: "price" is no more that of the family d. */
  @Test
  void whichColumnABareNameIsDependsOnNoOldDefinitions() throws IOException {
    VirtualTime time = new VirtualTime();
    try (ScanPool pool = ScanPool.forThisMachine(new Configuration(false));
        BackgroundExecutor beside = new BackgroundExecutor()) {
      ClientPruning pruning = new ClientPruning(cluster.connection(), pool, beside);
      IndexedTable old =
          new IndexedTable(
              FakeCluster.TABLE,
              cluster.connection(),
              pool,
              pruning,
              new KnownTables(cluster.connection(), beside, time::nanos).handle(FakeCluster.TABLE));
      Query bare = Query.where("price = 70").pruning(false);
      Query clear = Query.where("CAST(d:name AS STRING) = 'name of z'").select("d:price");
      Query selected = clear.select("price");
      for (Query query : List.of(bare, clear, selected)) {
        assertThat(count(old, query)).isEqualTo(1);
      }
      cluster.descriptor = IndexSchema.withoutIndex(cluster.descriptor, "price");
      declare(index("other", "e:price", ValueType.LONG));
      for (Query query : List.of(bare, selected)) {
        time.pass(Duration.ofSeconds(11));
        assertThat(count(old, query)).as("as it is declared now").isZero();
        cluster.descriptor = IndexSchema.withoutIndex(cluster.descriptor, "other");
        declare(index("price", "d:price", ValueType.LONG));
        time.pass(Duration.ofSeconds(11));
        assertThat(count(old, query)).isEqualTo(1);
        cluster.descriptor = IndexSchema.withoutIndex(cluster.descriptor, "price");
        declare(index("other", "e:price", ValueType.LONG));
      }
    }
  }

  /** Neither the query nor a question for definitions that might fit it. */
  @Test
  void aParameterWithoutAValueSendsNothing() {
    Query query = Query.where("price = ? AND name = :name").set(1, 10L);
    assertThatThrownBy(() -> table.query(query))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessageContaining(
            "orders': parameter :name of price = 10 AND name = :name has no value");
    assertThatThrownBy(() -> table.explain(query)).isInstanceOf(InvalidPredicateException.class);
    assertThatThrownBy(() -> table.aggregate(query, Aggregation.of(Aggregate.count())))
        .isInstanceOf(InvalidPredicateException.class);
    assertThat(cluster.definitionGets).isEmpty();
  }

  /** The time runs while definitions are read, too: no cursor is there yet. */
  @Test
  void theTimeOfAQueryBeginsWithItsDefinitions() throws IOException {
    cluster.silence =
        region -> {
          try {
            new CountDownLatch(1).await();
            return null;
          } catch (InterruptedException e) {
            return new InterruptedIOException("interrupted");
          }
        };
    Query query = Query.where("price = 10").timeout(Duration.ofMillis(20));
    assertThatThrownBy(() -> table.query(query)).isInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(() -> table.explain(query)).isInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(() -> table.remarks(query)).isInstanceOf(QueryCancelledException.class);
    assertThat(Thread.interrupted()).isFalse();
    cluster.silence = region -> null;
    try (RowCursor rows = table.query(query.timeout(Duration.ofMinutes(1)))) {
      assertThat(rows).hasSize(1);
    }
  }

  /** One who has not asked yet has nothing that could be out of date. */
  @Test
  void handlesShareWhatIsKnownAndTheFirstAsksAsTheFirst() throws IOException {
    for (int i = 0; i < 20; i++) {
      assertThat(count(spyhop.table(FakeCluster.TABLE), Query.where("price = 70"))).isEqualTo(1);
    }
    assertThat(cluster.definitionGets).hasSize(1);
    assertThat(cluster.definitionsAgain).hasValue(0);
    spyhop.admin().dropIndex(FakeCluster.TABLE, "price");
    declare(index("other", "e:price", ValueType.LONG));
    assertThat(count(spyhop.table(FakeCluster.TABLE), Query.where("price = 70"))).isZero();
    assertThat(cluster.definitionsAgain).as("a change of one's own is known").hasValue(0);
  }

  private static int count(IndexedTable table, Query query) throws IOException {
    int count = 0;
    try (RowCursor rows = table.query(query)) {
      for (Result row : rows) {
        count += row.isEmpty() ? 0 : 1;
      }
    }
    return count;
  }
}
