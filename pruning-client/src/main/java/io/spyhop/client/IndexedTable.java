package io.spyhop.client;

import io.spyhop.client.admin.RegionAnswer;
import io.spyhop.client.admin.RegionCalls;
import io.spyhop.client.admin.TableInfo;
import io.spyhop.client.admin.TimedCache;
import io.spyhop.client.exec.RowRange;
import io.spyhop.client.exec.RowSource;
import io.spyhop.client.exec.RowStream;
import io.spyhop.client.exec.ScanPool;
import io.spyhop.client.exec.ScannerSource;
import io.spyhop.client.global.Candidates;
import io.spyhop.client.global.GlobalRows;
import io.spyhop.client.global.GlobalSearch;
import io.spyhop.client.global.IndexCalls;
import io.spyhop.client.global.Repairs;
import io.spyhop.client.plan.TableSchema;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.region.RegionPlan;
import io.spyhop.core.region.RegionPlan.Path;
import io.spyhop.core.region.RegionRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;

/**
 * Queries one table by value. Every query is an ordinary scan with a {@link PredicateFilter}, so
 * that the answer is the same with and without indexes; indexes make it fast. Thread-safe.
 *
 * <p>The table's definitions are remembered for up to two seconds; a query that does not fit them
 * has them read again before it fails.
 */
public final class IndexedTable {
  /** How many rows of a range may wait for the reader; bytes are bounded beside. */
  private static final int MAX_ROWS_AHEAD = 1 << 16;

  private static final Duration SCHEMA_AGE = Duration.ofSeconds(2);

  /** Boundaries only say where to cut the work: old ones cost speed, not rows. */
  private static final Duration BOUNDARIES_AGE = Duration.ofSeconds(10);

  private final TableName name;
  private final Connection connection;
  private final ScanPool pool;
  private final RegionCalls regions;
  private final GlobalSearch globals;
  private final Repairs repairs;
  private final TimedCache<TableSchema> schema;
  private final TimedCache<List<byte[]>> boundaries;

  IndexedTable(TableName name, Connection connection, ScanPool pool) {
    this.name = name;
    this.connection = connection;
    this.pool = pool;
    this.regions = new RegionCalls(connection);
    IndexCalls calls = new IndexCalls(connection, name);
    this.globals = new GlobalSearch(calls, pool, connection.getConfiguration());
    this.repairs = new Repairs(calls, pool);
    this.schema = new TimedCache<>(this::readSchema, SCHEMA_AGE, System::nanoTime);
    this.boundaries = new TimedCache<>(this::readBoundaries, BOUNDARIES_AGE, System::nanoTime);
  }

  private TableSchema readSchema() throws IOException {
    return TableSchema.of(TableInfo.descriptor(connection, name));
  }

  private List<byte[]> readBoundaries() throws IOException {
    return TableInfo.regions(connection, name).stream()
        .map(r -> r.getRegion().getStartKey())
        .collect(Collectors.toList());
  }

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /**
   * Runs a query. Regions are scanned side by side; rows come in row-key order.
   *
   * @return the rows; the caller closes the cursor
   * @throws IllegalArgumentException as {@link #bind} says
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws IOException if the table's definitions cannot be read
   * @throws IllegalStateException if the {@link Spyhop} that this table is from has been closed
   */
  public RowCursor query(Query query) throws IOException {
    return run(resolve(query), Optional.empty()).cursor;
  }

  /** A query that runs, and what a global index does for it if one can drive it. */
  private record Running(RowCursor cursor, Optional<GlobalRows> global) {}

  private Running run(BoundQuery query, Optional<byte[]> queryId) throws IOException {
    if (pool.isClosed()) {
      throw new IllegalStateException(
          "cannot query table '" + name + "': the Spyhop client has been closed");
    }
    RowRange range = query.query().range();
    if (query.globalQuestion().drivers().isEmpty()) {
      return new Running(cursor(query, plain(query, queryId, range)), Optional.empty());
    }
    GlobalRows rows = new GlobalRows(range, ways(query, queryId));
    return new Running(cursor(query, rows), Optional.of(rows));
  }

  private RowCursor cursor(BoundQuery query, RowStream rows) {
    return new RowCursor(name, rows, query.limit());
  }

  private RowStream plain(BoundQuery query, Optional<byte[]> queryId, RowRange range)
      throws IOException {
    RowSource.Opener opener =
        part ->
            ScannerSource.open(
                connection, name, query.scan(part, queryId), query.projection()::strip);
    List<RowRange> parts = range.cut(boundaries.get());
    return RowStream.of(parts, opener, pool, MAX_ROWS_AHEAD);
  }

  private GlobalRows.Ways ways(BoundQuery query, Optional<byte[]> queryId) {
    Candidates.How how =
        new Candidates.How(
            query::get,
            query.projection()::strip,
            query.predicate().columns().size() == 1,
            repairs);
    return new GlobalRows.Ways() {
      @Override
      public GlobalSearch.Outcome search() throws IOException {
        return globals.search(query.globalQuestion());
      }

      @Override
      public Candidates candidates(GlobalSearch.Found found) throws IOException {
        return new Candidates(connection, name, found, how);
      }

      @Override
      public RowStream plain(RowRange range) throws IOException {
        return IndexedTable.this.plain(query, queryId, range);
      }
    };
  }

  /**
   * The predicate with the types of its columns, as it would be sent.
   *
   * @throws InvalidQueryException if the selection or the hint does not fit the table
   * @throws io.spyhop.core.predicate.UnknownColumnException if a column of the predicate cannot be
   *     resolved
   * @throws io.spyhop.core.predicate.InvalidPredicateException if a literal does not fit its column
   */
  public BoundPredicate bind(Query query) throws IOException {
    return resolve(query).predicate();
  }

  /** The filter that would be sent, for scans of one's own; throws what {@link #bind} throws. */
  public PredicateFilter filter(Query query) throws IOException {
    return new PredicateFilter(bind(query));
  }

  private BoundQuery resolve(Query query) throws IOException {
    TableSchema remembered = schema.get();
    try {
      return BoundQuery.of(query, remembered);
    } catch (IllegalArgumentException doesNotFitWhatIsRemembered) {
      return BoundQuery.of(query, schema.refresh());
    }
  }

  /**
   * Says how each region would answer, without running the query; throws what {@link #query}
   * throws. Regions that do not answer are listed as scanning, with the reason. Global indexes that
   * can drive the query are asked as a query asks them.
   */
  public QueryPlan explain(Query query) throws IOException {
    BoundQuery bound = resolve(query);
    RegionRequest request =
        new RegionRequest(RegionRequest.Kind.EXPLAIN, bound.planRequest().encode());
    Optional<QueryPlan.Global> global =
        bound.globalQuestion().drivers().isEmpty()
            ? Optional.empty()
            : Optional.of(global(globals.search(bound.globalQuestion()), 0, ""));
    return new QueryPlan(
        name.getNameAsString(),
        bound.predicate().toString(),
        plans(bound, global, request, "region has no Spyhop coprocessor"),
        Optional.empty(),
        global);
  }

  private static QueryPlan.Global global(
      GlobalSearch.Outcome outcome, long rowsRead, String failure) {
    return outcome
        .found()
        .map(
            f ->
                new QueryPlan.Global(
                    f.index().name(), f.entries(), f.rows().size(), rowsRead, failure))
        .orElseGet(() -> new QueryPlan.Global("", 0, 0, 0, outcome.reason()));
  }

  /**
   * Runs the query, drops its rows, and says what each region did; throws what {@link #query}
   * throws, and IOException if the query fails.
   */
  public QueryPlan explainAnalyze(Query query) throws IOException {
    BoundQuery bound = resolve(query);
    byte[] id = newQueryId();
    Running running = run(bound, Optional.of(id));
    QueryPlan.Run run = count(running.cursor);
    Optional<QueryPlan.Global> global =
        running.global.map(g -> global(g.outcome(), g.rowsRead(), g.failure()));
    RegionRequest request = new RegionRequest(RegionRequest.Kind.REPORT, id);
    return new QueryPlan(
        name.getNameAsString(),
        bound.predicate().toString(),
        plans(
            bound,
            global,
            request,
            "no report: region was not read to its end, has moved or has no Spyhop coprocessor"),
        Optional.of(run),
        global);
  }

  private static QueryPlan.Run count(RowCursor cursor) throws IOException {
    long start = System.nanoTime();
    try (RowCursor rows = cursor) {
      Iterator<Result> each = rows.iterator();
      while (each.hasNext()) {
        each.next();
      }
      return new QueryPlan.Run(rows.count(), Duration.ofNanos(System.nanoTime() - start));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static byte[] newQueryId() {
    UUID id = UUID.randomUUID();
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  /** What regions say; a query that a global index answers asks none of them. */
  private List<RegionPlan> plans(
      BoundQuery query, Optional<QueryPlan.Global> global, RegionRequest request, String silence)
      throws IOException {
    if (global.filter(g -> !g.index().isEmpty() && g.reason().isEmpty()).isPresent()) {
      return List.of();
    }
    List<HRegionLocation> asked =
        TableInfo.regions(connection, name).stream()
            .filter(r -> rangeOf(r.getRegion()).overlaps(query.query().range()))
            .collect(Collectors.toList());
    return regions.ask(name, asked, request, RegionPlan::decode).stream()
        .map(a -> a.answer().orElseGet(() -> noPlan(a, silence)))
        .collect(Collectors.toList());
  }

  private static RowRange rangeOf(RegionInfo region) {
    return new RowRange(region.getStartKey(), region.getEndKey());
  }

  private static RegionPlan noPlan(RegionAnswer<RegionPlan> silent, String silence) {
    String reason = silent.failure().isEmpty() ? silence : "no answer: " + silent.failure();
    return new RegionPlan(
        silent.region(),
        silent.server(),
        Path.SCAN,
        reason,
        "",
        List.of(),
        0,
        0,
        0,
        0,
        Optional.empty());
  }
}
