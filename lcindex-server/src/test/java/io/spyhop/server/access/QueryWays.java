package io.spyhop.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Aggregate;
import io.spyhop.client.Aggregation;
import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexPage;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.PlainAggregates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Ways to get rows: each answer is that of the caller's own plain scan. Stateless. */
final class QueryWays {
  /** Ranges that every kind of row is in; their bounds are no values. */
  static final String BY_LOC = "loc >= 'loc-10' AND loc < 'loc-12'";

  static final String BY_GLOB = "glob >= 'glob-10' AND glob < 'glob-12'";

  /** A range that only rows are in that are hidden later. */
  static final String BY_STAT = "stat > 'z'";

  private static final int PAGE = 1_000;

  private QueryWays() {}

  /** The condition as a plain scan answers it. */
  static Query plain(String where) {
    return Query.where(where).hint(Attributes.PATH_SCAN).pruning(false);
  }

  private static void requireSame(Caller c, List<String> answer, List<String> plain) {
    assertThat(answer).as("%s gets something else than from a scan", c.viewer()).isEqualTo(plain);
  }

  /** Through the local index, if allowed. */
  static Observation local(Caller c) throws Exception {
    return byLoc(c, Query.where(BY_LOC).hint("loc"), plain(BY_LOC));
  }

  /** The first rows alone. */
  static Observation limited(Caller c) throws Exception {
    return byLoc(c, Query.where(BY_LOC).hint("loc").limit(3), plain(BY_LOC).limit(3));
  }

  /** Figures of the rows, also of a column that the caller may not read. */
  static Observation aggregated(Caller c) throws Exception {
    BoundColumn loc =
        new BoundColumn(ColumnName.of(SecretTable.F, SecretTable.LOC), ValueType.STRING);
    BoundColumn other =
        new BoundColumn(ColumnName.of(SecretTable.F, SecretTable.GLOB), ValueType.STRING);
    PlainAggregates figures =
        new PlainAggregates(List.of())
            .and(Aggregate.count(), null)
            .and(Aggregate.max(cast(loc)), loc)
            .and(Aggregate.countDistinct(cast(other)), other);
    IndexedTable table = c.spyhop().table(c.data().name());
    return c.counted(
        () -> {
          Query query = Query.where(BY_LOC).hint("loc").pruning(false);
          List<String> answer =
              figures.text(table.aggregate(query, Aggregation.of(figures.aggregates())));
          List<Result> rows = new ArrayList<>();
          try (RowCursor cursor = table.query(plain(BY_LOC))) {
            cursor.forEach(rows::add);
          }
          requireSame(c, answer, figures.of(rows));
          c.checked(answer.toString());
          return rows.isEmpty() ? List.of() : answer;
        },
        () -> false);
  }

  private static String cast(BoundColumn column) {
    return "CAST(\"" + column.name() + "\" AS " + column.type() + ")";
  }

  private static Observation byLoc(Caller c, Query query, Query plainly) throws Exception {
    return c.counted(
        () -> {
          List<String> answer = c.cells(query.pruning(false));
          requireSame(c, answer, c.cells(plainly));
          return answer;
        },
        () -> false);
  }

  /** Regions are left out by statistics, or parts of them are. */
  static Observation pruned(Caller c) throws Exception {
    AtomicBoolean left = new AtomicBoolean();
    return c.counted(
        () -> {
          requireSame(c, c.cells(Query.where(BY_STAT)), c.cells(plain(BY_STAT)));
          var table = c.spyhop().table(c.data().name());
          long before = table.statistics().regionsPruned();
          List<String> answer = c.cells(Query.where(BY_STAT));
          left.set(table.statistics().regionsPruned() > before);
          return answer;
        },
        left::get);
  }

  /** Through the global index, if allowed. */
  static Observation global(Caller c) throws Exception {
    Query query = Query.where(BY_GLOB).hint("glob").pruning(false);
    AtomicBoolean used = new AtomicBoolean();
    return c.counted(
        () -> {
          List<String> answer = c.cells(query);
          requireSame(c, answer, c.cells(plain(BY_GLOB)));
          QueryPlan plan = c.spyhop().table(c.data().name()).explainAnalyze(query);
          used.set(plan.driving().equals("glob"));
          List<String> said = new ArrayList<>(answer);
          said.add(c.checked(Objects.toString(plan.global())));
          return said;
        },
        used::get);
  }

  /** A program that knows nothing of indexes. */
  static Observation existing(Caller c) throws Exception {
    Filter filter =
        new FilterList(
            compared(CompareOperator.GREATER_OR_EQUAL, "loc-10"),
            compared(CompareOperator.LESS, "loc-12"));
    Scan scan = new Scan().setFilter(filter);
    return c.counted(
        () -> {
          List<String> answer = c.cells(Caller.along(scan, "loc"));
          requireSame(c, answer, c.cells(Caller.along(scan, Attributes.PATH_SCAN)));
          return answer;
        },
        () -> false);
  }

  private static Filter compared(CompareOperator operator, String bound) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(SecretTable.F, SecretTable.LOC, operator, Bytes.toBytes(bound));
    filter.setFilterIfMissing(true);
    return filter;
  }

  /** Versions of rows. */
  static Observation readKey(Caller c) throws Exception {
    Caller.Answer<List<String>> answer =
        c.ask(
            () -> {
              DeferredIndexTable cells = c.spyhop().deferred(c.data().name(), "glob");
              List<String> said = new ArrayList<>();
              List<String> plain = new ArrayList<>();
              for (byte[] row : asked()) {
                cells.readKey(row, Long.MAX_VALUE, 2).stream()
                    .map(i -> Bytes.toString(i.value()) + "@" + i.timestamp())
                    .forEach(said::add);
                plain.addAll(versions(c, row));
              }
              requireSame(c, said, plain);
              c.checked(said.toString());
              return said;
            });
    return answer.isRefused()
        ? answer.refused()
        : Observation.of(Outcome.ANSWERED, answer.value().orElseThrow());
  }

  /** Rows of which the caller sees some, and rows that are there later. */
  private static List<byte[]> asked() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 100; i < 106; i++) {
      rows.add(Bytes.toBytes(SecretTable.row(i)));
    }
    for (String start : List.of("a", "b")) {
      rows.add(Bytes.toBytes(start + "row10xq"));
    }
    return rows;
  }

  private static List<String> versions(Caller c, byte[] row) throws Exception {
    Get get = new Get(row).addColumn(SecretTable.F, SecretTable.GLOB).readVersions(2);
    List<String> versions = new ArrayList<>();
    for (Cell cell : c.table().get(get).rawCells()) {
      versions.add(Bytes.toString(CellUtil.cloneValue(cell)) + "@" + cell.getTimestamp());
    }
    return versions;
  }

  /** The newest values of a range. */
  static Observation readValue(Caller c) throws Exception {
    return read(c, "glob-10", "glob-12", Long.MAX_VALUE);
  }

  /** Values of a time that is over. */
  static Observation asOf(Caller c) throws Exception {
    return read(c, "was-10", "was-12", (SecretTable.BEFORE + SecretTable.NOW) / 2);
  }

  private static Observation read(Caller c, String from, String to, long at) throws Exception {
    Caller.Answer<List<String>> answer =
        c.ask(
            () -> {
              IndexPage page =
                  c.spyhop()
                      .deferred(c.data().name(), "glob")
                      .readRange(from, to, at, 1, Paging.first(PAGE));
              List<String> said =
                  page.cells().stream().map(i -> Bytes.toString(i.row())).sorted().toList();
              c.checked(page.toString());
              c.checked(said.toString());
              requireSame(c, said, scanned(c, from, to, at));
              assertThat(said).isNotEmpty();
              return said;
            });
    return answer.isRefused()
        ? answer.refused()
        : Observation.of(Outcome.INDEX, answer.value().orElseThrow());
  }

  /** The rows that have a value of a range at a time. */
  private static List<String> scanned(Caller c, String from, String to, long at) throws Exception {
    Scan scan = new Scan().addColumn(SecretTable.F, SecretTable.GLOB);
    scan.setTimeRange(0, at == Long.MAX_VALUE ? at : at + 1);
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = c.table().getScanner(scan)) {
      for (Result r : scanner) {
        String value = Bytes.toString(r.getValue(SecretTable.F, SecretTable.GLOB));
        if (value.compareTo(from) >= 0 && value.compareTo(to) <= 0) {
          rows.add(Bytes.toString(r.getRow()));
        }
      }
    }
    return rows.stream().sorted().toList();
  }

  /**
   * The numbers that HBase tells who asks for them. A plain scan's count rows that HBase's filters
   * hide, with and without Spyhop; what is compared is how far they are from those.
   */
  static Observation scanMetrics(Caller c) throws Exception {
    return c.counted(
        () -> {
          Query query = Query.where(BY_LOC);
          Scan scan = new Scan().setFilter(c.spyhop().table(c.data().name()).filter(query));
          long[] plain = metrics(c, Caller.along(scan, Attributes.PATH_SCAN));
          List<Long> before = c.site().lookups();
          long[] numbers = metrics(c, Caller.along(scan, "loc"));
          boolean found = !c.site().lookups().equals(before);
          assertThat(numbers[0]).as("rows").isEqualTo(plain[0]);
          assertThat(plain[1]).as("rows that HBase has scanned").isGreaterThanOrEqualTo(plain[0]);
          return found
              ? List.of("scanned " + numbers[1], "filtered " + numbers[2])
              : List.of("" + (numbers[1] - plain[1]), "" + (numbers[2] - plain[2]));
        },
        () -> false);
  }

  private static long[] metrics(Caller c, Scan scan) throws Exception {
    scan.setScanMetricsEnabled(true);
    try (ResultScanner rows = c.table().getScanner(scan)) {
      int visible = 0;
      while (rows.next() != null) {
        visible++;
      }
      ScanMetrics metrics = rows.getScanMetrics();
      c.checked(metrics.getMetricsMap(false).toString());
      return new long[] {
        visible,
        count(metrics, ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME),
        count(metrics, ServerSideScanMetrics.COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME)
      };
    }
  }

  private static long count(ScanMetrics metrics, String name) {
    return metrics.getMetricsMap(false).getOrDefault(name, 0L);
  }
}
