package io.spyhop.client;

import io.spyhop.client.admin.RegionAnswer;
import io.spyhop.client.admin.RegionCalls;
import io.spyhop.client.admin.TableInfo;
import io.spyhop.client.admin.TimedCache;
import io.spyhop.client.exec.RowRange;
import io.spyhop.client.exec.ScanPool;
import io.spyhop.client.global.GlobalSearch;
import io.spyhop.client.plan.TableSchema;
import io.spyhop.client.prune.ClientPruning;
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
  private static final Duration SCHEMA_AGE = Duration.ofSeconds(2);

  private final TableName name;
  private final Connection connection;
  private final RegionCalls regions;
  private final QueryRunner runner;
  private final TimedCache<TableSchema> schema;

  IndexedTable(TableName name, Connection connection, ScanPool pool, ClientPruning pruning) {
    this.name = name;
    this.connection = connection;
    this.regions = new RegionCalls(connection);
    this.runner = new QueryRunner(name, connection, pool, pruning);
    this.schema = new TimedCache<>(this::readSchema, SCHEMA_AGE, System::nanoTime);
  }

  private TableSchema readSchema() throws IOException {
    return TableSchema.of(TableInfo.descriptor(connection, name));
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
    BoundQuery bound = resolve(query);
    return cursor(bound, runner.run(bound, Optional.empty()));
  }

  private RowCursor cursor(BoundQuery query, QueryRun run) {
    return new RowCursor(name, run.rows(), query.limit());
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
            : Optional.of(global(runner.globals().search(bound.globalQuestion()), 0, ""));
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
    QueryRun running = runner.run(bound, Optional.of(id));
    QueryPlan.Run run = count(cursor(bound, running));
    Optional<QueryPlan.Global> global =
        running.global().map(g -> global(g.outcome(), g.rowsRead(), g.failure()));
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
