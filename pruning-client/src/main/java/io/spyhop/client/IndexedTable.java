package io.spyhop.client;

import io.opentelemetry.context.Scope;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.client.internal.query.AggregateRun;
import io.spyhop.client.internal.query.BareNames;
import io.spyhop.client.internal.query.BoundQuery;
import io.spyhop.client.internal.query.KnownTables;
import io.spyhop.client.internal.query.QueryExecutor;
import io.spyhop.client.internal.query.ReboundRows;
import io.spyhop.core.aggregate.Groups;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Parameters;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.DefinitionsChangedException;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.trace.Work;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Queries one table by value. Every query is an ordinary scan with a {@link PredicateFilter}, so
 * that the answer is the same with and without indexes; indexes make it fast. Thread-safe.
 *
 * <p>The table's regions tell its definitions to callers who may read something of the table,
 * except those of columns that are closed to the caller. They are remembered for all handles of a
 * client, and asked for again beside the queries every two seconds: a query that does not fit what
 * is remembered, or whose columns a region knows to have other types, has them read again first,
 * and so has one that names columns without their families while what is remembered is older than
 * ten seconds.
 */
public final class IndexedTable {
  /** How old definitions may be that say which column a name without its family is. */
  private static final Duration NAMES_AGE = Duration.ofSeconds(10);

  private final TableName name;
  private final ScanPool pool;
  private final QueryExecutor executor;
  private final Explainer explainer;
  private final KnownTables.Handle known;
  private final ValueSample sample;

  IndexedTable(
      TableName name,
      Connection connection,
      ScanPool pool,
      ClientPruning pruning,
      KnownTables.Handle known) {
    this.name = name;
    this.pool = pool;
    this.executor = new QueryExecutor(name, connection, pool, pruning);
    this.explainer = new Explainer(name, connection, pool, executor);
    this.known = known;
    this.sample = new ValueSample(connection, name);
  }

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /**
   * Runs a query. Regions are scanned side by side; rows come in row-key order, or in the order of
   * a column's values if the query has one. From a bucketed table they come by their keys, or as
   * they come if the query says so ({@link Query#rowOrder}).
   *
   * <p>An order of values is the client's work where no index, or no region, knows it; of a
   * bucketed table it always is.
   *
   * @return the rows; the caller closes the cursor
   * @throws IllegalArgumentException as {@link #bind} says
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws QueryCancelledException if the query has a {@link Query#timeout}, and the table's
   *     definitions cannot be read in that time
   * @throws IOException if the table's definitions cannot be read
   * @throws IllegalStateException if the {@link Spyhop} that this table is from has been closed
   */
  public RowCursor query(Query query) throws IOException {
    LongAdder emptied = new LongAdder();
    requireComplete(query);
    Cancellation cancellation = new Cancellation(pool, query.timeout());
    BoundQuery bound = resolved(query, cancellation).countingIn(emptied);
    RowStream rows = executor.run(bound, Optional.empty()).rows();
    RowStream again =
        new ReboundRows(
            rows,
            () -> executor.run(rebind(query).countingIn(emptied), Optional.empty()).rows(),
            () -> executor.requireTable(bound));
    return new RowCursor(name, again, bound.limit(), emptied::sum, cancellation);
  }

  private BoundQuery resolved(Query query, Cancellation cancellation) throws IOException {
    boolean done = false;
    try {
      BoundQuery bound = cancellation.read(() -> resolve(query));
      done = true;
      return bound;
    } finally {
      if (!done) {
        cancellation.close(RowStream.empty());
      }
    }
  }

  /**
   * One page of a query's rows. Its token names the last row, so it is good after splits, moves,
   * restarts of the client and of the cluster, and in another process. Each page is read at its own
   * moment: a row that is put or moved behind the last row meanwhile is on a later page, one before
   * it is on none, and a row whose value changes meanwhile may come again or not at all.
   *
   * @param query without a limit; if it has an order and selects columns, that of the order among
   *     them
   * @param rows how many at most, 1 to 2147483646
   * @param token {@link RowPage#next} of the page before; empty for the first
   * @throws InvalidQueryException if the token is none, or is not of this table and query, or the
   *     query has no pages
   * @throws IllegalArgumentException as {@link #bind} says
   * @throws IOException if the query fails
   */
  public RowPage page(Query query, int rows, Optional<String> token) throws IOException {
    Objects.requireNonNull(token, "the token is null");
    Optional<ValueOrder> order = limited(query, () -> resolve(query)).order();
    try {
      return new Pages(name.getNameAsString(), query, order).read(rows, token, this::query);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Computes aggregates of a query's rows: regions that can do so send figures in place of rows.
   * The answer is that of the rows which {@link #query} returns.
   *
   * @param query a condition, range and settings; without selection, order and limit
   * @throws IllegalArgumentException as {@link #bind} says
   * @throws InvalidQueryException also if a function does not fit its column's type, or the query
   *     has a selection, an order or a limit
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws QueryCancelledException if the query has a {@link Query#timeout}, and that is over
   * @throws IOException if the table's definitions cannot be read, a scan fails, or the groups take
   *     more than {@code spyhop.client.aggregate.bytes}
   * @throws IllegalStateException if the {@link Spyhop} that this table is from has been closed
   */
  public AggregateResult aggregate(Query query, Aggregation aggregation) throws IOException {
    requireComplete(query);
    Objects.requireNonNull(aggregation, "the aggregation is null");
    boolean bare = BareNames.in(query) || BareNames.in(aggregation);
    try (Work work = Work.begin(Work.Kind.QUERY).name("table", name.getNameAsString());
        Scope ignored = work.inThisThread()) {
      return limited(query, () -> aggregate(query, aggregation, bare));
    }
  }

  private AggregateResult aggregate(Query query, Aggregation aggregation, boolean bare)
      throws IOException {
    try {
      return aggregate(resolve(bare, table -> QueryBinder.bind(query, aggregation, table)));
    } catch (IOException e) {
      if (DefinitionsChangedException.in(e).isEmpty()) {
        throw e;
      }
      return aggregate(QueryBinder.bind(query, aggregation, known.refresh().schema()));
    }
  }

  private AggregateResult aggregate(QueryBinder.Aggregating bound) throws IOException {
    AggregateRun run = executor.aggregate(bound.query());
    List<AggregateResult.Group> groups = new ArrayList<>();
    for (Groups.Group group : run.groups().sorted()) {
      List<Object> values = new ArrayList<>();
      bound.aggregation().figures().forEach(figure -> values.add(figure.of(group)));
      groups.add(new AggregateResult.Group(group.key(), Collections.unmodifiableList(values)));
    }
    return new AggregateResult(List.copyOf(groups), run.rowsRead());
  }

  /**
   * The predicate with the types of its columns, as it would be sent; where the query has an order,
   * with the condition that there is a value in its column.
   *
   * @throws InvalidQueryException if the selection or the hint does not fit the table
   * @throws io.spyhop.core.predicate.UnknownColumnException if a column of the predicate cannot be
   *     resolved
   * @throws io.spyhop.core.predicate.InvalidPredicateException if a literal does not fit its
   *     column, or a parameter has no value
   */
  public BoundPredicate bind(Query query) throws IOException {
    return limited(query, () -> resolveByFresh(query)).predicate();
  }

  /**
   * What is probably a mistake in a query, for people who wrote it; throws what {@link #bind}
   * throws. {@link #query} does not ask for it.
   */
  public QueryRemarks remarks(Query query) throws IOException {
    return limited(query, () -> QueryRemarks.of(name, resolveByFresh(query), sample));
  }

  /**
   * What is probably a mistake in an index of this table: that none of its column's first values
   * has its type. Reads a few rows, as far as the caller may.
   */
  public Optional<String> remark(IndexDefinition index) {
    return sample.misfit(index.column(), index.type());
  }

  /**
   * The columns whose type the table declares, as far as the caller may know them, and as they are
   * remembered. Takes the right to read something of the table, and no master.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws IOException if the table's definitions cannot be read
   */
  public Map<ColumnName, ValueType> declaredTypes() throws IOException {
    return types(known.get().schema());
  }

  /** As {@link #declaredTypes}, asked anew: what was declared before the call is in it. */
  public Map<ColumnName, ValueType> currentTypes() throws IOException {
    return types(known.refresh().schema());
  }

  /** As {@link #declaredTypes}, as a region knows them now, which need not read them again. */
  public Map<ColumnName, ValueType> knownTypes() throws IOException {
    return types(known.anew().schema());
  }

  /**
   * The column behind a name, as a selection of a query has it; by the definitions that are
   * remembered.
   *
   * @param name {@code family:qualifier}, or a qualifier where that is unambiguous
   * @throws InvalidQueryException if there is no such family, or the name is ambiguous or unknown
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws IOException if the table's definitions cannot be read
   */
  public ColumnName column(String name) throws IOException {
    return known.get().schema().column(name);
  }

  private static Map<ColumnName, ValueType> types(TableSchema schema) {
    return schema.indexes().indexes().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                IndexDefinition::column, IndexDefinition::type, (one, same) -> one));
  }

  /**
   * Reads values of rows by the types that the table declares now, as far as the caller may know.
   * They are asked for anew; the reader does not see what is declared later.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws IOException if the table's definitions cannot be read
   */
  public RowReader reader() throws IOException {
    TableSchema schema = known.refresh().schema();
    return new RowReader(schema::typed);
  }

  /**
   * The filter that would be sent, for scans of one's own; throws what {@link #bind} throws.
   *
   * @throws InvalidQueryException also if the query asks for every row, which takes no filter
   */
  public PredicateFilter filter(Query query) throws IOException {
    BoundPredicate predicate = bind(query);
    if (predicate.isEveryRow()) {
      throw new InvalidQueryException(
          "table '" + name + "': a query without a condition has no filter; scan without one");
    }
    return new PredicateFilter(predicate);
  }

  /** As the other method, with {@link Consistency#STRICT}. */
  public ResultScanner getScanner(Scan scan) throws IOException {
    return getScanner(scan, Consistency.STRICT);
  }

  /**
   * Runs a scan of one's own. If it has a {@link PredicateFilter}, regions are left out whose
   * statistics show that no row matches, and the others are read side by side; rows come in row-key
   * order. Scans with settings that are not known to go with that run as they are: reversed, raw,
   * with time ranges, batches, metrics, from replicas, and so on.
   *
   * @param scan nobody may change it or its filter before the scanner is closed
   * @param consistency which writes must be seen
   * @return the rows; the caller closes the scanner
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws IOException if the table's definitions cannot be read or the scan cannot be opened
   * @throws IllegalStateException if the {@link Spyhop} that this table is from has been closed
   * @throws InvalidQueryException if the table is a bucketed one, which {@link BucketedTable} scans
   */
  public ResultScanner getScanner(Scan scan, Consistency consistency) throws IOException {
    Objects.requireNonNull(scan, "the scan is null");
    Objects.requireNonNull(consistency, "the consistency is null");
    TableSchema schema = known.get().schema();
    if (schema.keys().isPresent()) {
      throw new InvalidQueryException(
          "table '"
              + name
              + "' is a bucketed one: a scan of one's own reads it through BucketedTable");
    }
    return executor.scan(scan, schema, consistency);
  }

  private BoundQuery resolve(Query query) throws IOException {
    requireComplete(query);
    return resolve(BareNames.in(query), table -> QueryBinder.bind(query, table));
  }

  /** Before anything is sent. */
  private void requireComplete(Query query) {
    Objects.requireNonNull(query, "the query is null");
    query.predicate().ifPresent(p -> Parameters.requireNone(p, name.getNameAsString()));
  }

  private <T> T resolve(boolean bareNames, Function<TableSchema, T> binder) throws IOException {
    KnownTables.Known remembered = bareNames ? known.within(NAMES_AGE) : known.get();
    try {
      return binder.apply(remembered.schema());
    } catch (IllegalArgumentException doesNotFitWhatIsRemembered) {
      return binder.apply(known.refresh().schema());
    }
  }

  /** For what no region can refuse when the definitions have changed. */
  private BoundQuery resolveByFresh(Query query) throws IOException {
    requireComplete(query);
    known.fresh();
    return resolve(query);
  }

  private BoundQuery rebind(Query query) throws IOException {
    return QueryBinder.bind(query, known.refresh().schema());
  }

  /**
   * Says what the query would do with each region and how each would answer, without running it;
   * throws what {@link #query} throws. Regions that do not answer are listed as scanning, with the
   * reason. Global indexes that can drive the query are asked as a query asks them.
   */
  public QueryPlan explain(Query query) throws IOException {
    return limited(query, () -> explainer.explain(resolveByFresh(query)));
  }

  /**
   * Runs the query, drops its rows, and says what each region did; throws what {@link #query}
   * throws, and IOException if the query fails.
   */
  public QueryPlan explainAnalyze(Query query) throws IOException {
    return limited(query, () -> analyzed(query));
  }

  private QueryPlan analyzed(Query query) throws IOException {
    try {
      return explainer.explainAnalyze(resolve(query));
    } catch (IOException e) {
      if (DefinitionsChangedException.in(e).isEmpty()) {
        throw e;
      }
      return explainer.explainAnalyze(rebind(query));
    }
  }

  /** Within the time that the query may take. */
  private <T> T limited(Query query, Cancellation.Reading<T> reading) throws IOException {
    requireComplete(query);
    Cancellation cancellation = new Cancellation(pool, query.timeout());
    try {
      return cancellation.read(reading);
    } finally {
      cancellation.close(RowStream.empty());
    }
  }

  /** What is known of the table's regions, and what pruning did with it in this client so far. */
  public TableStatistics statistics() {
    return TableStatistics.of(executor.pruning().known(), executor.pruning().counters());
  }
}
