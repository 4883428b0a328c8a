package io.spyhop.bench.mdrq;

import io.spyhop.client.AggregateResult;
import io.spyhop.client.Aggregation;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** The ways to answer a query, all with the same caching. */
final class Asker implements Closeable {
  /** Rows fetched at a time, by every side. */
  static final int CACHING = 1_000;

  private static final int OTHER_LIMIT = 100;

  private final AtomicLong asked = new AtomicLong();
  private final Map<String, Query> prepared = new ConcurrentHashMap<>();
  private final Spyhop spyhop;
  private final RegionScans scans;
  private final IndexedTable indexed;

  /** Answers through Spyhop come from that table; the connection stays open. */
  Asker(Connection connection, TableName table) {
    this.spyhop = Spyhop.connect(connection);
    this.scans = new RegionScans(connection);
    this.indexed = spyhop.table(table);
  }

  IndexAdmin admin() {
    return spyhop.admin();
  }

  /** How a question is answered. */
  QueryPlan explain(Question question) throws IOException {
    return indexed.explainAnalyze(query(question));
  }

  @Override
  public void close() {
    scans.close();
    spyhop.close();
  }

  /** Never the same condition again; its text is read once, as those of the other sides are. */
  private Query query(Question question) {
    return prepared
        .computeIfAbsent(question.name(), n -> query(question, question.prepared()))
        .set("other", question.other(asked.incrementAndGet()));
  }

  private static Query query(Question question, String where) {
    Query all = Query.where(where).caching(CACHING);
    return question.limit().isPresent() ? all.limit(question.limit().getAsInt()) : all;
  }

  /** Through the index; no condition is asked twice. */
  Side spyhop(Question question) {
    return spyhop(() -> query(question));
  }

  /** The same condition each time. */
  Side spyhopAgain(Question question) {
    Query same = query(question, question.where());
    return spyhop(() -> same);
  }

  private Side spyhop(Supplier<Query> queries) {
    return () -> {
      List<Result> rows = new ArrayList<>();
      try (RowCursor cursor = indexed.query(queries.get())) {
        cursor.forEach(rows::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      return rows;
    };
  }

  /** As {@link #spyhopAgain} with another limit, for one column. */
  Side spyhopOtherwise(Question question) {
    Query one = Query.where(question.where()).caching(CACHING).select("orderpriority");
    return spyhop(() -> question.limit().isPresent() ? one : one.limit(OTHER_LIMIT));
  }

  /** A scan with Spyhop's own filter, never served from an index. */
  Side predicateScan(TableName table, Question question) throws IOException {
    PredicateFilter bound = indexed.filter(query(question));
    return scan(table, question.limit(), () -> new PredicateFilter(bound.predicate()));
  }

  /** An aggregate of a question's rows, through Spyhop. */
  AggregateResult aggregate(Question question, Aggregation aggregation) throws IOException {
    return indexed.aggregate(query(question), aggregation);
  }

  /** As {@link #predicateScan} of some columns and those of the condition, of all regions. */
  Side columnsScan(TableName table, Question question, List<BoundColumn> columns)
      throws IOException {
    BoundPredicate predicate = indexed.filter(query(question)).predicate();
    return () -> scans.all(table, () -> columnsScan(predicate, columns));
  }

  private static Scan columnsScan(BoundPredicate predicate, List<BoundColumn> columns) {
    Scan scan =
        new Scan()
            .setCaching(CACHING)
            .setFilter(new PredicateFilter(predicate))
            .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN));
    for (List<BoundColumn> some : List.of(columns, predicate.columns())) {
      some.forEach(c -> scan.addColumn(c.name().family(), c.name().qualifier()));
    }
    return scan;
  }

  /** A scan with HBase's own filters. */
  Side columnFilterScan(TableName table, MdrqQuery question) {
    return scan(table, question.limit(), question::columnFilters);
  }

  /** All regions side by side; for the first rows only by one scanner, which stops when it can. */
  private Side scan(TableName table, OptionalInt limit, Supplier<Filter> filters) {
    Supplier<Scan> scan =
        () ->
            new Scan()
                .setCaching(CACHING)
                .setFilter(filters.get())
                .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN));
    return limit.isPresent()
        ? () -> scans.one(table, scan.get().setLimit(limit.getAsInt()))
        : () -> scans.all(table, scan);
  }

  /** The first rows of the table by one scanner: without more scanners nobody can be faster. */
  Side keyRange(TableName table, int rows) {
    return () ->
        rows == 0 ? List.of() : scans.one(table, new Scan().setCaching(CACHING).setLimit(rows));
  }

  /**
   * The first rows of each region, all regions side by side: no way to answer can be faster.
   *
   * @param answer of which each region has as many rows
   */
  Side keyRanges(TableName table, List<Result> answer) throws IOException {
    Map<RegionInfo, Integer> rows = new HashMap<>();
    for (RegionInfo region : scans.regions(table)) {
      rows.put(region, (int) answer.stream().filter(r -> region.containsRow(r.getRow())).count());
    }
    return () ->
        scans.some(
            table,
            region ->
                Optional.of(new Scan().setCaching(CACHING).setLimit(rows.get(region)))
                    .filter(scan -> scan.getLimit() > 0));
  }
}
