package io.spyhop.client;

import io.spyhop.client.internal.bucket.PrefixRuns;
import io.spyhop.client.internal.bucket.StoredRows;
import io.spyhop.client.internal.bucket.UserRows;
import io.spyhop.client.internal.exec.Demand;
import io.spyhop.client.internal.exec.MappedRows;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadAhead;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.exec.SortedRows;
import io.spyhop.client.internal.global.Candidates;
import io.spyhop.client.internal.global.GlobalRows;
import io.spyhop.client.internal.global.GlobalSearch;
import io.spyhop.client.internal.global.IndexAttempts;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.global.Repairs;
import io.spyhop.client.internal.order.SortMemory;
import io.spyhop.client.internal.order.ValueRows;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.client.internal.prune.Prunability;
import io.spyhop.client.internal.prune.PrunableScan;
import io.spyhop.client.internal.prune.PrunedQuery;
import io.spyhop.client.internal.prune.PrunedRows;
import io.spyhop.client.internal.prune.TablePruning;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.prune.ScanState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Runs queries on one table: by a global index, or by scans of the regions. Thread-safe. */
final class QueryRunner {
  private final TableName name;
  private final Connection connection;
  private final ScanPool pool;
  private final GlobalSearch globals;
  private final OrderedSearch orders;
  private final Repairs repairs;
  private final ScanCosts costs;
  private final boolean mayPrune;
  private final long usualPage;
  private final int usualCaching;
  private final TablePruning pruning;

  QueryRunner(TableName name, Connection connection, ScanPool pool, ClientPruning pruning) {
    this.name = name;
    this.connection = connection;
    this.pool = pool;
    IndexCalls calls = new IndexCalls(connection, name);
    Configuration conf = connection.getConfiguration();
    IndexAttempts attempts = new IndexAttempts(calls, pool);
    this.globals = new GlobalSearch(calls, attempts, conf);
    this.orders = new OrderedSearch(calls, attempts, conf);
    this.repairs = new Repairs(calls, pool);
    this.usualPage = ReadAhead.configuredPage(conf);
    this.usualCaching =
        conf.getInt(
            HConstants.HBASE_CLIENT_SCANNER_CACHING,
            HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING);
    this.mayPrune = pruning.isEnabled();
    this.pruning = pruning.of(name);
    this.costs = new ScanCosts(connection, name, this.pruning.keys());
  }

  /**
   * Looks for a query's rows in the table's global indexes.
   *
   * @throws IOException only if the thread was interrupted
   */
  GlobalSearch.Outcome search(BoundQuery query) throws IOException {
    return globals.search(query.entryQuery(), costs.of(query));
  }

  /**
   * Checks that the table is the one that a query was bound for.
   *
   * @throws io.spyhop.core.protocol.DefinitionsChangedException if it is not
   */
  void requireTable(BoundQuery query) throws IOException {
    Optional<Get> check = query.toCheck();
    if (check.isPresent()) {
      try (Table table = connection.getTable(name)) {
        Refusal.checked(table.get(check.get()));
      }
    }
  }

  /** The table's statistics. */
  TablePruning pruning() {
    return pruning;
  }

  /**
   * A query; nothing is asked of regions before its first row is.
   *
   * @param queryId under which regions keep what they did, if they shall
   * @throws IllegalStateException if the client has been closed
   */
  QueryRun run(BoundQuery query, Optional<byte[]> queryId) throws IOException {
    requireOpen();
    QueryRun run = new QueryRun();
    if (query.order().isPresent()) {
      run.through(ordered(run, query, queryId));
      return run;
    }
    begin(run, query.asked(), queryId);
    showUsersKeys(run, query);
    if (query.sorts()) {
      SortedRows.Limits limits = limits(query);
      run.change(
          rows -> new SortedRows(rows, limits, MergedRows.BY_ROW, () -> merged(query, queryId)));
    }
    return run;
  }

  /** Where a global index finds the rows, all of them are found sooner than by scans. */
  private SortedRows.Limits limits(BoundQuery query) {
    SortedRows.Limits limits = SortedRows.Limits.of(connection.getConfiguration(), query.limit());
    return query.entryQuery().drivers().isEmpty()
        ? limits.seeing(PrefixRuns.rowsRead(query.keys().orElseThrow(), query.limit()))
        : limits;
  }

  private static void showUsersKeys(QueryRun run, BoundQuery query) {
    run.change(stored -> users(stored, query));
  }

  private static RowStream users(RowStream stored, BoundQuery query) {
    return query.keys().isPresent() ? new MappedRows(stored, UserRows::of) : stored;
  }

  private void begin(QueryRun run, BoundQuery query, Optional<byte[]> queryId) throws IOException {
    if (query.entryQuery().drivers().isEmpty()) {
      run.through(scans(run, query, queryId, query.rows()));
    } else {
      run.through(new GlobalRows(query.rows(), ways(run, query, queryId)));
    }
  }

  private RowStream ordered(QueryRun run, BoundQuery query, Optional<byte[]> queryId) {
    BoundQuery toSort = query.toSort();
    SortMemory memory = SortMemory.of(connection.getConfiguration());
    OrderedWays.Plain plain =
        new OrderedWays.Plain() {
          @Override
          public RowStream all() throws IOException {
            begin(run, toSort, queryId);
            showUsersKeys(run, toSort);
            return run.rows();
          }

          @Override
          public RowStream of(List<RowRange> ranges) throws IOException {
            return RowStream.of(ranges, scansOf(toSort, queryId), pool, demand(toSort));
          }

          @Override
          public Optional<RowStream> first() throws IOException {
            return new OrderedStart(query, toSort, orders, memory.bound())
                .search(
                    () -> pruning.keys().cut(query.rows()).size(),
                    costs.of(toSort),
                    pool.threads(),
                    found -> new Candidates(connection, name, found, how(toSort)))
                .flatMap(
                    answer -> {
                      run.ordered(answer);
                      return answer.rows().map(RowStream::of).map(r -> users(r, toSort));
                    });
          }
        };
    return new ValueRows(
        query.query().range(),
        query.order().orElseThrow(),
        query.limit(),
        new OrderedWays(connection, name, pruning.keys(), pool.readAhead(), query, queryId, plain),
        pool,
        query.projection()::strip,
        memory);
  }

  private RowSource.Opener scansOf(BoundQuery query, Optional<byte[]> queryId) {
    return part -> opener(query, queryId).open(part, null);
  }

  private PrunedRows.Opener opener(BoundQuery query, Optional<byte[]> queryId) {
    return (part, state) ->
        ConditionRows.open(
            connection, name, paged(query.scan(part, state, queryId)), query.projection()::strip);
  }

  private static Demand demand(BoundQuery query) {
    return new Demand(query.limit(), query.query().caching());
  }

  /** The rows of a bucketed table by their keys, if there are too many of them to be sorted. */
  private RowStream merged(BoundQuery query, Optional<byte[]> queryId) throws IOException {
    List<List<RowRange>> runs = new ArrayList<>();
    for (RowRange run : StoredRows.runs(query.keys().orElseThrow(), query.query().range())) {
      runs.add(pruning.keys().cut(RowRanges.of(run)));
    }
    RowSource.Opener opener =
        part -> {
          Scan scan = PrefixRuns.paged(query.scan(part, null, queryId), runs.size(), pool);
          return UserRows.of(ConditionRows.open(connection, name, scan, query.projection()::strip));
        };
    return PrefixRuns.merged(runs, opener, false, pool, query.limit());
  }

  private void requireOpen() {
    if (pool.isClosed()) {
      throw new IllegalStateException(
          "cannot query table '" + name + "': the Spyhop client has been closed");
    }
  }

  private RowStream scans(QueryRun run, BoundQuery query, Optional<byte[]> queryId, RowRanges rows)
      throws IOException {
    return canPrune(query)
        ? run.pruned(
            new PrunedRows(
                pruning, question(query, rows), opener(query, queryId), pool, demand(query)))
        : RowStream.of(pruning.keys().cut(rows), scansOf(query, queryId), pool, demand(query));
  }

  /**
   * Runs a scan, and leaves out regions where that is known to be right.
   *
   * @throws IllegalStateException if the client has been closed
   */
  ResultScanner scan(Scan scan, TableSchema schema, Consistency consistency) throws IOException {
    requireOpen();
    Optional<BoundPredicate> predicate =
        PrunableScan.predicate(scan)
            .filter(p -> mayPrune && Prunability.canPrune(p, schema.indexes()));
    if (predicate.isEmpty()) {
      return TableScanner.open(connection, name, scan);
    }
    Scan asked = new Scan(scan);
    PrunedRows.Opener opener =
        (part, state) ->
            ConditionRows.open(connection, name, paged(part(asked, part, state)), r -> r);
    PrunedQuery question =
        new PrunedQuery(
            predicate.get(),
            families(scan, schema),
            RowRanges.of(PrunableScan.range(scan)),
            consistency);
    long limit = scan.getLimit() > 0 ? scan.getLimit() : Long.MAX_VALUE;
    return new RowScanner(
        new PrunedRows(pruning, question, opener, pool, new Demand(limit, caching(scan))), limit);
  }

  /** A scan whose pages are as large as the client has room for. */
  private Scan paged(Scan scan) {
    long page = pool.readAhead().pageBytes();
    boolean own = scan.getMaxResultSize() > 0;
    return (own ? scan.getMaxResultSize() : usualPage) > page ? scan.setMaxResultSize(page) : scan;
  }

  private int caching(Scan scan) {
    return scan.getCaching() > 0 ? scan.getCaching() : usualCaching;
  }

  private static Scan part(Scan whole, RowRange range, ScanState state) throws IOException {
    PredicateFilter filter = (PredicateFilter) whole.getFilter();
    return new Scan(whole)
        .withStartRow(range.start(), true)
        .withStopRow(range.stop(), false)
        .setFilter(new PredicateFilter(filter.predicate()))
        .setAttribute(Attributes.SCAN_STATE, Bytes.toBytes(state.name()));
  }

  private static List<byte[]> families(Scan scan, TableSchema schema) {
    return scan.hasFamilies()
        ? List.of(scan.getFamilies())
        : schema.families().stream().map(Bytes::toBytesBinary).toList();
  }

  /** Whether statistics may leave out regions of a query. */
  boolean canPrune(BoundQuery query) {
    return mayPrune
        && query.query().pruning()
        && Prunability.canPrune(query.predicate(), query.indexes());
  }

  /** What statistics are asked for a query. */
  static PrunedQuery question(BoundQuery query, RowRanges rows) {
    return new PrunedQuery(query.predicate(), query.families(), rows, query.query().consistency());
  }

  private Candidates.How how(BoundQuery query) {
    return new Candidates.How(
        query::get, query.projection()::strip, query.predicate().columns().size() == 1, repairs);
  }

  private GlobalRows.Ways ways(QueryRun run, BoundQuery query, Optional<byte[]> queryId) {
    return new GlobalRows.Ways() {
      @Override
      public GlobalSearch.Outcome search() throws IOException {
        return QueryRunner.this.search(query);
      }

      @Override
      public Candidates candidates(GlobalSearch.Found found) throws IOException {
        return new Candidates(connection, name, found, how(query));
      }

      @Override
      public RowStream plain(RowRanges rows) throws IOException {
        return scans(run, query, queryId, rows);
      }
    };
  }
}
