package io.spyhop.bench.mdrq;

import io.spyhop.bench.Progress;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.JobSummary;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;

/**
 * Measures loading and querying against an unindexed twin that holds the same cells: {@link
 * #insert}, then {@link #ask} in one or more states, {@link #weigh}, {@link #compact}, then {@link
 * #report}.
 */
public final class MdrqBench implements Closeable {
  /** The twin: no index, HBase's defaults. */
  public static final TableName PLAIN = TableName.valueOf("orders_plain");

  /** The table with three indexes. */
  public static final TableName INDEXED = TableName.valueOf("orders_indexed");

  /** All data in HFiles, all HFiles indexed. */
  public static final String FLUSHED = "flushed";

  private static final Duration COMPACTION_LIMIT = Duration.ofMinutes(30);

  private final Connection connection;
  private final long rows;
  private final int regions;
  private final Trial trial;
  private final Spyhop spyhop;
  private final RegionScans scans;
  private final IndexedTable table;
  private final Asker asker;
  private final InsertTrial insertion;
  private BenchReport.DiskBytes bytes = new BenchReport.DiskBytes(0, 0, 0);
  private final List<BenchQuery> queries = new ArrayList<>();
  private final List<Difference> differences = new ArrayList<>();

  /**
   * @param connection to an HBase with Spyhop that has neither table; stays open
   * @param rows orders to load into each table
   * @param regions regions of each table
   * @param trial how often each query is asked
   */
  public MdrqBench(Connection connection, long rows, int regions, Trial trial) {
    this.connection = connection;
    this.rows = rows;
    this.regions = regions;
    this.trial = trial;
    this.spyhop = Spyhop.connect(connection);
    this.scans = new RegionScans(connection);
    this.table = spyhop.table(INDEXED);
    this.asker = new Asker(scans, table);
    this.insertion = new InsertTrial(connection, spyhop, PLAIN, INDEXED);
  }

  /** Makes both tables and loads them; then all data is in HFiles and indexed. */
  public void insert(Progress.Factory progress) throws IOException {
    byte[][] splits = OrdersTable.splits(rows, regions);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(OrdersTable.descriptor(PLAIN), splits);
      admin.createTable(OrdersTable.descriptor(INDEXED), splits);
    }
    spyhop.admin().createIndexes(INDEXED, OrdersTable.indexes());
    insertion.run(rows, progress);
  }

  /**
   * Asks the five queries all ways.
   *
   * @param state what to call the state that the data is in
   */
  public void ask(String state, Progress.Factory progress) throws IOException {
    try (Progress shown = progress.start("Asking (" + state + ")", MdrqQuery.ALL.size())) {
      for (MdrqQuery query : MdrqQuery.ALL) {
        queries.add(ask(state, query));
        shown.step(1);
      }
    }
  }

  private BenchQuery ask(String state, MdrqQuery query) throws IOException {
    Side predicate = asker.predicateScan(PLAIN, query);
    Side columnFilters = asker.columnFilterScan(PLAIN, query);
    Side indexed = asker.spyhop(query);
    List<Result> expected = predicate.ask();
    Optional<String> difference =
        Stream.of(columnFilters.ask(), indexed.ask())
            .flatMap(answer -> Answers.difference(expected, answer).stream())
            .findFirst();
    difference.ifPresent(d -> differences.add(new Difference(query.name(), d)));
    int found = expected.size();
    Side floor = asker.keyRange(PLAIN, found);
    double[] millis =
        difference.isPresent()
            ? new double[4]
            : trial.medians(found, List.of(predicate, columnFilters, indexed, floor));
    return report(state, query, found, millis, difference.isEmpty());
  }

  private BenchQuery report(
      String state, MdrqQuery query, int found, double[] millis, boolean equal) throws IOException {
    QueryPlan plan = table.explainAnalyze(Asker.query(query));
    double plainMillis = Math.min(millis[0], millis[1]);
    return new BenchQuery(
        query.name(),
        state,
        found,
        Figures.rounded(plainMillis),
        Figures.rounded(millis[2]),
        Figures.rounded(millis[3]),
        Figures.ratio(plainMillis, millis[2]),
        plan.driving(),
        plan.recordsRead(),
        equal,
        millis[0] <= millis[1] ? "predicate" : "scvf",
        Figures.rounded(millis[0]),
        Figures.rounded(millis[1]));
  }

  /**
   * Notes how much is on disk.
   *
   * @param storeFileBytes bytes in a table's HFiles
   */
  public void weigh(ToLongFunction<TableName> storeFileBytes) throws IOException {
    List<IndexStatus> status = spyhop.admin().status(INDEXED);
    bytes =
        new BenchReport.DiskBytes(
            storeFileBytes.applyAsLong(INDEXED),
            status.stream().mapToLong(IndexStatus::ifileBytes).sum(),
            status.stream().mapToLong(IndexStatus::sfileBytes).sum());
  }

  /** Compacts every region of the indexed table into one HFile, and waits for its index files. */
  public void compact() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.majorCompact(INDEXED);
    }
    Quiet.await(connection, INDEXED);
    spyhop.admin().waitUntilActive(INDEXED, COMPACTION_LIMIT);
  }

  /** Everything that was measured. */
  public BenchReport report() throws IOException {
    return new BenchReport(
        rows,
        regions,
        insertion.report(rows),
        insertion.indexedAfterSeconds(),
        bytes,
        JobSummary.of(spyhop.admin().jobs()),
        queries);
  }

  /** The queries whose answers differed. */
  public List<Difference> differences() {
    return List.copyOf(differences);
  }

  @Override
  public void close() {
    scans.close();
    spyhop.close();
  }
}
