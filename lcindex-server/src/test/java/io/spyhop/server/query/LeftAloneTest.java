package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.server.query.plan.ScanPredicate;
import io.spyhop.server.query.scan.IndexScanner;
import io.spyhop.server.query.scan.PlainScanner;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Scans of existing programs that mean something an index does not know: each has its reason. */
class LeftAloneTest {
  private static final byte[] ID = {7};

  private static IndexedTableFixture table;

  @BeforeAll
  static void create() throws IOException {
    table = new IndexedTableFixture();
    table.put("a", "name", Bytes.toBytes("n"));
    table.price("a", 5);
    table.price("b", 6);
    table.flushAndIndex();
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
  }

  private static SingleColumnValueFilter name(CompareOperator op, ByteArrayComparable with) {
    SingleColumnValueFilter filter = new SingleColumnValueFilter(F, q("name"), op, with);
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static SingleColumnValueFilter nameIs(String value) {
    return name(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes(value)));
  }

  /** What a scan is answered by, the region's own scanner being below it. */
  private static RegionScanner open(RegionQueries queries, Scan scan, RegionScanner core)
      throws IOException {
    scan.setAttribute(Attributes.QUERY_ID, ID);
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_INDEX));
    return queries.open(scan, core);
  }

  private static void assertLeftAlone(Scan scan, String reason) throws IOException {
    RegionQueries queries = Queries.of(table, Long.MAX_VALUE, Long.MAX_VALUE);
    Scan whole = scan.hasFamilies() ? scan : scan.addFamily(F);
    try (RegionScanner core = table.region().getScanner(whole)) {
      assertThat(open(queries, whole, core)).as(reason).isSameAs(core);
      assertThat(queries.report(ID).orElseThrow().reason()).contains(reason);
    }
  }

  private static void assertLeftAlone(Filter filter, String reason) throws IOException {
    assertLeftAlone(new Scan().setFilter(filter), reason);
  }

  private static void assertIndexed(Filter filter) throws IOException {
    RegionQueries queries = Queries.of(table, Long.MAX_VALUE, Long.MAX_VALUE);
    Scan scan = new Scan().addFamily(F).setFilter(filter);
    try (RegionScanner scanner = open(queries, scan, table.region().getScanner(scan))) {
      assertThat(scanner).isInstanceOf(IndexScanner.class);
    }
  }

  @Test
  void theOrdinaryOnesAreNot() throws IOException {
    assertIndexed(nameIs("n"));
    assertIndexed(new FilterList(nameIs("n"), new FilterList(nameIs("m"), nameIs("o"))));
    assertIndexed(
        new FilterList(
            nameIs("n"), name(CompareOperator.NOT_EQUAL, new BinaryComparator(new byte[1]))));
  }

  @Test
  void comparisonsOfOneColumnAreReadInOneRange() {
    Filter range =
        new FilterList(
            name(CompareOperator.GREATER, new BinaryComparator(Bytes.toBytes("b"))),
            name(CompareOperator.LESS, new BinaryComparator(Bytes.toBytes("d"))));
    ScanPredicate question = ScanFilter.of(range).question().orElseThrow();
    KeyRanges keys = question.keys(table.indexes().schema().index("name").orElseThrow()).get();
    assertThat(keys.ranges()).hasSize(1);
    assertThat(keys.ranges().get(0).lower()).isNotNull();
    assertThat(keys.ranges().get(0).upper()).isNotNull();
  }

  @Test
  void rowsWithoutTheColumnCount() throws IOException {
    SingleColumnValueFilter filter = nameIs("n");
    filter.setFilterIfMissing(false);
    assertLeftAlone(filter, "filterIfMissing");
  }

  @Test
  void olderVersionsCount() throws IOException {
    SingleColumnValueFilter filter = nameIs("n");
    filter.setLatestVersionOnly(false);
    assertLeftAlone(filter, "latestVersionOnly");
  }

  @Test
  void anotherComparator() throws IOException {
    ByteArrayComparable prefix = new BinaryPrefixComparator(Bytes.toBytes("n"));
    assertLeftAlone(name(CompareOperator.EQUAL, prefix), "comparator");
  }

  @Test
  void subclass() throws IOException {
    SingleColumnValueExcludeFilter filter =
        new SingleColumnValueExcludeFilter(F, q("name"), CompareOperator.EQUAL, new byte[1]);
    filter.setFilterIfMissing(true);
    assertLeftAlone((Filter) filter, "SingleColumnValueExcludeFilter");
  }

  @Test
  void oneMustPass() throws IOException {
    FilterList one = new FilterList(FilterList.Operator.MUST_PASS_ONE, nameIs("n"), nameIs("m"));
    assertLeftAlone(one, "one must pass");
    assertLeftAlone(new FilterList(nameIs("n"), one), "one must pass");
  }

  @Test
  void otherFiltersInTheList() throws IOException {
    assertLeftAlone(new FilterList(nameIs("n"), new PageFilter(1)), "PageFilter");
    Filter prefix = new PrefixFilter(new byte[1]);
    assertLeftAlone(new FilterList(new FilterList(prefix), nameIs("n")), "PrefixFilter");
    PredicateFilter predicate = new PredicateFilter(table.bind(column("name").eq("n")));
    assertLeftAlone(new FilterList(predicate, nameIs("n")), "PredicateFilter");
    assertLeftAlone(new FilterList(predicate), "PredicateFilter");
  }

  @Test
  void operatorsThatNarrowNothing() throws IOException {
    BinaryComparator n = new BinaryComparator(Bytes.toBytes("n"));
    assertLeftAlone(name(CompareOperator.NO_OP, n), "compares nothing");
    assertLeftAlone(name(CompareOperator.NOT_EQUAL, n), "no local index can drive");
  }

  @Test
  void columnWithoutAnIndex() throws IOException {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, q("other"), CompareOperator.EQUAL, new byte[1]);
    filter.setFilterIfMissing(true);
    assertLeftAlone((Filter) filter, "no local index can drive");
  }

  @Test
  void unselectedColumn() throws IOException {
    Scan scan = new Scan().addColumn(F, q("price")).setFilter((Filter) nameIs("n"));
    assertLeftAlone(scan, "does not select");
  }

  @Test
  void settingOfTheScan() throws IOException {
    Scan scan = new Scan().setFilter((Filter) nameIs("n"));
    assertLeftAlone(new Scan(scan).setTimeRange(0, 5), "time range");
    assertLeftAlone(new Scan(scan).setReversed(true), "reversed");
  }

  @Test
  void otherFiltersAreNotLookedAt() throws IOException {
    RegionQueries queries = Queries.of(table, Long.MAX_VALUE, Long.MAX_VALUE);
    for (Filter f : List.of(new PageFilter(1), new FilterList(new PrefixFilter(new byte[1])))) {
      Scan scan = new Scan().addFamily(F).setFilter(f);
      try (RegionScanner core = table.region().getScanner(scan)) {
        assertThat(open(queries, scan, core)).isSameAs(core);
        assertThat(queries.report(ID)).isEmpty();
      }
    }
  }

  @Test
  void tableWithoutAnIndex() throws IOException {
    TableName name = TableName.valueOf("unindexed");
    TestCluster.get()
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    HRegion region = TestCluster.get().regions(name).get(0);
    RegionQueries queries = Queries.of(region);
    Scan scan = new Scan().addFamily(F).setFilter((Filter) nameIs("n"));
    try (RegionScanner core = region.getScanner(scan)) {
      assertThat(open(queries, scan, core)).isSameAs(core);
      assertThat(queries.report(ID)).isEmpty();
    }
  }

  /** What another coprocessor put in the place of the region's scanner must stay. */
  @Test
  void scannerOfAnotherCoprocessor() throws IOException {
    RegionQueries queries = Queries.of(table, Long.MAX_VALUE, Long.MAX_VALUE);
    Scan scan = new Scan().addFamily(F).setFilter((Filter) nameIs("n"));
    try (RegionScanner core = table.region().getScanner(scan)) {
      RegionScanner theirs =
          (RegionScanner)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {RegionScanner.class},
                  (proxy, method, args) -> method.invoke(core, args));
      assertThat(open(queries, scan, theirs)).isSameAs(theirs);
      assertThat(queries.report(ID).orElseThrow().reason()).contains("another coprocessor");
      scan.setFilter(new PredicateFilter(table.bind(column("name").eq("n"))));
      assertThat(open(queries, scan, theirs)).isInstanceOf(PlainScanner.class);
    }
  }
}
