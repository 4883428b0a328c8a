package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Aggregate;
import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.aggregate.Measure;
import io.spyhop.core.aggregate.PartialRow;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.query.scan.AggregateScanner;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.PlainAggregates;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An aggregate is that of the plain scan's rows, whether regions or clients count them. */
class AggregateTest {
  private static final int ROWS = 1_000;
  private static final BoundColumn PRICE = bound("price", ValueType.DOUBLE);
  private static final BoundColumn NAME = bound("name", ValueType.STRING);
  private static final BoundColumn AMOUNT = bound("amount", ValueType.DECIMAL);
  private static final BoundColumn NUMBER = bound("number", ValueType.INT);

  private static IndexedTableFixture table;
  private static Spyhop spyhop;

  /** Observes nothing, which nobody can know. */
  public static final class Onlooker implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }
  }

  private static BoundColumn bound(String name, ValueType type) {
    return new BoundColumn(ColumnName.parse("f:" + name), type);
  }

  @BeforeAll
  static void load() throws IOException {
    table =
        IndexedTableFixture.with(
            TestCluster.get(),
            d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)),
            "r0300",
            "r0700");
    write(table, 0, 600);
    table.flushAndIndex();
    write(table, 500, ROWS);
    spyhop = Spyhop.connect(TestCluster.get().connection());
  }

  @AfterAll
  static void drop() throws IOException {
    spyhop.close();
    table.close();
  }

  private static void write(IndexedTableFixture into, int from, int to) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Put put = new Put(Bytes.toBytes("r%04d".formatted(i)));
      put.addColumn(F, q("price"), Bytes.toBytes(i * 7919 % 1_000 / 10.0));
      if (i % 5 != 0) {
        put.addColumn(F, q("name"), i % 7 == 0 ? new byte[] {-1} : Bytes.toBytes("n" + i % 4));
      }
      put.addColumn(F, q("amount"), Bytes.toBytes(new BigDecimal(i + ".50")));
      put.addColumn(F, q("number"), Bytes.toBytes(Integer.MAX_VALUE - i % 3));
      puts.add(put);
    }
    into.table().put(puts);
  }

  private static PlainAggregates all(BoundColumn... groupBy) {
    PlainAggregates all = new PlainAggregates(List.of(groupBy)).and(Aggregate.count(), null);
    for (BoundColumn c : List.of(PRICE, NAME, AMOUNT, NUMBER)) {
      String name = "CAST(\"" + c.name() + "\" AS " + c.type() + ")";
      all.and(Aggregate.count(name), c)
          .and(Aggregate.countDistinct(name), c)
          .and(Aggregate.min(name), c)
          .and(Aggregate.max(name), c);
      if (!c.equals(NAME)) {
        all.and(Aggregate.sum(name), c).and(Aggregate.avg(name), c);
      }
    }
    return all;
  }

  private static Aggregation aggregation(PlainAggregates all, BoundColumn... groupBy) {
    String[] names = new String[groupBy.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = "CAST(\"" + groupBy[i].name() + "\" AS " + groupBy[i].type() + ")";
    }
    return Aggregation.of(all.aggregates()).groupBy(names);
  }

  private static List<String> plain(IndexedTable of, Query query, PlainAggregates all)
      throws IOException {
    List<Result> rows = new ArrayList<>();
    try (RowCursor cursor = of.query(query.hint(Attributes.PATH_SCAN).pruning(false))) {
      cursor.forEach(rows::add);
    }
    return all.of(rows);
  }

  private static void requireSame(IndexedTable of, Query query, boolean byRegions)
      throws IOException {
    for (BoundColumn[] groupBy : new BoundColumn[][] {{}, {NAME}, {NUMBER, NAME}, {PRICE}}) {
      PlainAggregates all = all(groupBy);
      AggregateResult answer = of.aggregate(query, aggregation(all, groupBy));
      assertThat(all.text(answer)).as(query.toString()).isEqualTo(plain(of, query, all));
      assertThat(answer.rowsRead() == 0).as(query.toString()).isEqualTo(byRegions);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "price >= 20 AND price < 21",
        "name = 'n1'",
        "name IS NULL",
        "name = 'n1' OR amount > 100.25",
        "price > 1000",
        "CAST(number AS INT) = 2147483647",
      })
  void everyWayGivesThePlainScansFigures(String where) throws IOException {
    Query query = where.isEmpty() ? Query.all() : Query.where(where);
    IndexedTable indexed = spyhop.table(table.name());
    for (String hint : List.of("auto", "index", "scan")) {
      requireSame(indexed, query.hint(hint).caching(2), true);
    }
    Query part = query.range(Bytes.toBytes("r0250"), Bytes.toBytes("r0800"));
    requireSame(indexed, part, true);
  }

  @Test
  void regionsDoTheWork() throws IOException {
    long before = TestCluster.get().sum(m -> m.aggregatedScans);
    long queries = TestCluster.get().indexedQueries();
    AggregateResult answer =
        spyhop
            .table(table.name())
            .aggregate(
                Query.where("price < 1").hint("price").pruning(false),
                Aggregation.of(Aggregate.count(), Aggregate.max("price")));
    assertThat(answer.all().values()).containsExactly(10L, 0.9);
    assertThat(answer.all().count(0)).isEqualTo(10);
    assertThat(TestCluster.get().sum(m -> m.aggregatedScans)).isEqualTo(before + 3);
    assertThat(TestCluster.get().indexedQueries()).isEqualTo(queries + 3);
  }

  @Test
  void groupsComeByValueAndAbsentOnesLast() throws IOException {
    AggregateResult answer =
        spyhop
            .table(table.name())
            .aggregate(Query.all(), Aggregation.of(Aggregate.count()).groupBy("name"));
    assertThat(answer.groups().stream().map(g -> g.key().get(0)))
        .containsExactly("n0", "n1", "n2", "n3", null);
  }

  /** Rows may be taken out behind the region's scanner. */
  @Test
  void clientsCountWhereAnotherObserverWatches() throws IOException {
    try (IndexedTableFixture watched =
        new IndexedTableFixture(
            TestCluster.get(),
            f -> f,
            d -> {
              try {
                return d.setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(Onlooker.class.getName()).build());
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })) {
      write(watched, 0, 100);
      requireSame(spyhop.table(watched.name()), Query.where("price < 50"), false);
    }
  }

  private static AggregateRequest sums() {
    return new AggregateRequest(
        List.of(PRICE, NAME),
        List.of(true, true),
        List.of(1),
        List.of(new Measure(Measure.Kind.SUM, 0), new Measure(Measure.Kind.DISTINCT, 1)));
  }

  private static Scan asking(AggregateRequest request) {
    Scan scan = new Scan().addFamily(F);
    scan.setFilter(new PredicateFilter(table.bind(column("price").lt(50.0))));
    return scan.setAttribute(Attributes.AGGREGATE, request.encode());
  }

  /** Each partial result is of the rows behind the one before, as a client that resumes has it. */
  @ParameterizedTest
  @ValueSource(strings = {"scan", "price"})
  void partialResultsAreOfDisjointRows(String path) throws IOException {
    AggregateRequest request = sums();
    Groups whole = new Groups(request);
    Groups resumed = new Groups(request);
    Scan scan = asking(request).setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    byte[] last = {};
    int parts = 0;
    for (Cell partial : partials(scan, usedUp())) {
      byte[] row = CellUtil.cloneRow(partial);
      assertThat(Bytes.compareTo(row, last)).isPositive();
      last = row;
      whole.decode(CellUtil.cloneValue(partial));
      parts++;
    }
    assertThat(parts).isGreaterThan(path.equals("scan") ? 1 : 0);
    for (Optional<Cell> next = first(scan); next.isPresent(); next = first(scan)) {
      resumed.decode(CellUtil.cloneValue(next.get()));
      scan.withStartRow(CellUtil.cloneRow(next.get()), false);
    }
    assertThat(rows(resumed)).isEqualTo(rows(whole)).isEqualTo(rows(oneByOne(request)));
  }

  private static List<String> rows(Groups groups) {
    return groups.sorted().stream().map(g -> g.key() + " " + g.rows()).toList();
  }

  private static Groups oneByOne(AggregateRequest request) throws IOException {
    Groups whole = new Groups(request);
    for (Cell partial : partials(asking(request), ScannerContext.newBuilder(true).build())) {
      whole.decode(CellUtil.cloneValue(partial));
    }
    return whole;
  }

  private static ScannerContext usedUp() {
    return ScannerContext.newBuilder(true).setTimeLimit(LimitScope.BETWEEN_ROWS, 1).build();
  }

  private static RegionScanner open(Scan scan) throws IOException {
    return open(table.region(), scan);
  }

  private static RegionScanner open(HRegion region, Scan scan) throws IOException {
    RegionScanner core = region.getScanner(scan);
    RegionScanner opened = region.getCoprocessorHost().postScannerOpen(scan, core);
    assertThat(opened).isInstanceOf(AggregateScanner.class);
    return opened;
  }

  private static List<Cell> partials(Scan scan, ScannerContext context) throws IOException {
    List<Cell> all = new ArrayList<>();
    try (RegionScanner scanner = open(scan)) {
      while (scanner.nextRaw(all, context)) {
        assertThat(context.toString()).contains("dataSize:");
      }
    }
    return all;
  }

  private static Optional<Cell> first(Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    ScannerContext context = usedUp();
    try (RegionScanner scanner = open(scan)) {
      boolean more = true;
      while (more && cells.isEmpty()) {
        more = scanner.nextRaw(cells, context);
      }
    }
    return cells.stream().findFirst();
  }

  /** Of a row's last part there may be nothing but deleted cells. */
  @Test
  @Tag(TestCluster.NEEDS_2_6)
  void rowsThatComeInPartsCountOnce() throws IOException {
    try (IndexedTableFixture wide = new IndexedTableFixture()) {
      for (int i = 0; i < 10; i++) {
        wide.price("r" + i, i);
        wide.put("r" + i, "zzz", new byte[100]);
        if (i % 2 == 0) {
          wide.table().delete(new Delete(Bytes.toBytes("r" + i)).addColumns(F, q("zzz")));
        }
      }
      ScannerContext cells =
          ScannerContext.newBuilder(true)
              .setSizeLimit(LimitScope.BETWEEN_CELLS, 1, 1, Long.MAX_VALUE)
              .build();
      Scan scan = new Scan().addFamily(F).setAttribute(Attributes.AGGREGATE, sums().encode());
      List<Cell> partials = new ArrayList<>();
      try (RegionScanner scanner = open(wide.region(), scan)) {
        boolean more = true;
        while (more) {
          more = scanner.nextRaw(partials, cells);
        }
      }
      Groups groups = new Groups(sums());
      for (Cell partial : partials) {
        groups.decode(CellUtil.cloneValue(partial));
      }
      assertThat(rows(groups)).containsExactly("[null] 10");
    }
  }

  /** HBase's own client goes on behind a partial result, wherever the next rows are by then. */
  @Test
  void regionsMayMoveAndSplitBetweenPartialResults() throws Exception {
    try (TestCluster small =
            TestCluster.start(2, conf -> conf.setInt("spyhop.query.sort.budget", 1_000));
        IndexedTableFixture moved = new IndexedTableFixture(small, f -> f)) {
      write(moved, 0, 200);
      Regions.flush(small, moved.name());
      AggregateRequest request = sums();
      Scan scan = new Scan().addFamily(F).setCaching(1);
      scan.setAttribute(Attributes.AGGREGATE, request.encode());
      Groups groups = new Groups(request);
      int parts = 0;
      try (ResultScanner scanner = moved.table().getScanner(scan)) {
        for (Result row = scanner.next(); row != null; row = scanner.next()) {
          groups.decode(PartialRow.in(row).orElseThrow());
          parts++;
          if (parts == 20 || parts == 40) {
            Regions.move(small, moved.name());
          } else if (parts == 60) {
            small
                .util()
                .getMiniHBaseCluster()
                .getMaster()
                .splitRegion(
                    moved.region().getRegionInfo(),
                    Bytes.toBytes("r0100"),
                    HConstants.NO_NONCE,
                    HConstants.NO_NONCE);
            small.util().waitFor(30_000, () -> small.regions(moved.name()).size() == 2);
          }
        }
      }
      assertThat(parts).isEqualTo(200);
      assertThat(groups.sorted().stream().mapToLong(Groups.Group::rows).sum()).isEqualTo(200);
    }
  }

  @Test
  void scansThatAreNotOfWholeRowsStayScans() throws IOException {
    for (Scan scan :
        List.of(
            asking(sums()).setReversed(true),
            asking(sums()).setAttribute(Attributes.LIMIT, Bytes.toBytes("3")),
            new Scan().setBatch(1).setAttribute(Attributes.AGGREGATE, sums().encode()),
            asking(sums()).setRaw(true),
            asking(sums()).setTimeRange(0, Long.MAX_VALUE - 1))) {
      try (ResultScanner scanner = table.table().getScanner(scan)) {
        assertThat(PartialRow.in(scanner.next())).as(scan.toString()).isEmpty();
      }
    }
  }

  @Test
  void whatIsNoAggregateIsRefused() {
    Scan scan = new Scan().setAttribute(Attributes.AGGREGATE, new byte[] {1});
    assertThatThrownBy(
            () -> {
              try (ResultScanner scanner = table.table().getScanner(scan)) {
                scanner.next();
              }
            })
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("spyhop.aggregate");
  }

  @Test
  void mistakesAreNamed() throws IOException {
    IndexedTable indexed = spyhop.table(table.name());
    Aggregation count = Aggregation.of(Aggregate.count());
    requireInvalid(indexed, Query.all().limit(1), count, "limit");
    requireInvalid(indexed, Query.all(), Aggregation.of(Aggregate.sum("name")), "STRING");
    requireInvalid(indexed, Query.all(), Aggregation.of(Aggregate.max("number")), "number");
    requireInvalid(indexed, Query.all(), count.groupBy("nothing"), "nothing");
    assertThatThrownBy(() -> count.groupBy("a", "b", "c")).hasMessageContaining("two");
  }

  private static void requireInvalid(
      IndexedTable indexed, Query query, Aggregation aggregation, String named) {
    assertThatThrownBy(() -> indexed.aggregate(query, aggregation))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }
}
