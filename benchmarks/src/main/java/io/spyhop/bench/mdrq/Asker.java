package io.spyhop.bench.mdrq;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.region.Attributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** The ways to answer a query, all with the same caching. */
final class Asker {
  /** Rows fetched at a time, by every side. */
  static final int CACHING = 1_000;

  private final RegionScans scans;
  private final IndexedTable indexed;

  /**
   * @param scans runs the plain sides
   * @param indexed answers through Spyhop
   */
  Asker(RegionScans scans, IndexedTable indexed) {
    this.scans = scans;
    this.indexed = indexed;
  }

  static Query query(MdrqQuery query) {
    return Query.where(query.where()).caching(CACHING);
  }

  /** Through the index. */
  Side spyhop(MdrqQuery query) {
    Query asked = query(query);
    return () -> {
      List<Result> rows = new ArrayList<>();
      try (RowCursor cursor = indexed.query(asked)) {
        cursor.forEach(rows::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      return rows;
    };
  }

  /** A scan with Spyhop's own filter, never served from an index. */
  Side predicateScan(TableName table, MdrqQuery query) throws IOException {
    PredicateFilter bound = indexed.filter(query(query));
    return scan(table, () -> new PredicateFilter(bound.predicate()));
  }

  /** A scan with HBase's own filters. */
  Side columnFilterScan(TableName table, MdrqQuery query) {
    return scan(table, query::columnFilters);
  }

  private Side scan(TableName table, Supplier<Filter> filters) {
    return () ->
        scans.all(
            table,
            () ->
                new Scan()
                    .setCaching(CACHING)
                    .setFilter(filters.get())
                    .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_SCAN)));
  }

  /** The first rows of the table by one scanner: no way to answer can be faster. */
  Side keyRange(TableName table, int rows) {
    return () ->
        rows == 0 ? List.of() : scans.one(table, new Scan().setCaching(CACHING).setLimit(rows));
  }
}
