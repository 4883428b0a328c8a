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
  private final TimedCache<TableSchema> schema;
  private final TimedCache<List<byte[]>> boundaries;

  IndexedTable(TableName name, Connection connection, ScanPool pool) {
    this.name = name;
    this.connection = connection;
    this.pool = pool;
    this.regions = new RegionCalls(connection);
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
    return run(resolve(query), Optional.empty());
  }

  private RowCursor run(BoundQuery query, Optional<byte[]> queryId) throws IOException {
    if (pool.isClosed()) {
      throw new IllegalStateException(
          "cannot query table '" + name + "': the Spyhop client has been closed");
    }
    RowSource.Opener opener =
        part ->
            ScannerSource.open(
                connection, name, query.scan(part, queryId), query.projection()::strip);
    List<RowRange> parts = query.query().range().cut(boundaries.get());
    return new RowCursor(name, RowStream.of(parts, opener, pool, MAX_ROWS_AHEAD), query.limit());
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
   * throws. Regions that do not answer are listed as scanning, with the reason.
   */
  public QueryPlan explain(Query query) throws IOException {
    BoundQuery bound = resolve(query);
    RegionRequest request =
        new RegionRequest(RegionRequest.Kind.EXPLAIN, bound.planRequest().encode());
    return plan(bound, request, "region has no Spyhop coprocessor", Optional.empty());
  }

  /**
   * Runs the query, drops its rows, and says what each region did; throws what {@link #query}
   * throws, and IOException if the query fails.
   */
  public QueryPlan explainAnalyze(Query query) throws IOException {
    BoundQuery bound = resolve(query);
    byte[] id = newQueryId();
    QueryPlan.Run run = count(bound, id);
    RegionRequest request = new RegionRequest(RegionRequest.Kind.REPORT, id);
    return plan(
        bound,
        request,
        "no report: region was not read to its end, has moved or has no Spyhop coprocessor",
        Optional.of(run));
  }

  private QueryPlan.Run count(BoundQuery query, byte[] id) throws IOException {
    long start = System.nanoTime();
    try (RowCursor rows = run(query, Optional.of(id))) {
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

  private QueryPlan plan(
      BoundQuery query, RegionRequest request, String silence, Optional<QueryPlan.Run> run)
      throws IOException {
    List<HRegionLocation> asked =
        TableInfo.regions(connection, name).stream()
            .filter(r -> rangeOf(r.getRegion()).overlaps(query.query().range()))
            .collect(Collectors.toList());
    List<RegionPlan> plans =
        regions.ask(name, asked, request, RegionPlan::decode).stream()
            .map(a -> a.answer().orElseGet(() -> noPlan(a, silence)))
            .collect(Collectors.toList());
    return new QueryPlan(name.getNameAsString(), query.predicate().toString(), plans, run);
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
