package io.spyhop.client;

import io.spyhop.client.internal.exec.Pauses;
import io.spyhop.client.internal.exec.ReadAhead;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.order.ValueRows;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.core.order.ValuePosition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;

/** Reads one query's rows in the order of values. Thread-safe. */
final class OrderedWays implements ValueRows.Ways {
  /** Rows that a region sends at a time at least. */
  private static final int LEAST_CACHING = 4;

  private final Connection connection;
  private final TableName table;
  private final RegionBorders borders;
  private final ReadAhead readAhead;
  private final BoundQuery query;
  private final Optional<byte[]> queryId;
  private final Plain plain;

  /** Reads rows otherwise than in the order of their regions' values. */
  interface Plain {
    /** All rows of the query, by whatever index. */
    RowStream all() throws IOException;

    /** Those of ranges, by scans. */
    RowStream of(List<RowRange> ranges) throws IOException;

    /** The first ones at least in the query's order, by a global index. */
    Optional<RowStream> first() throws IOException;
  }

  OrderedWays(
      Connection connection,
      TableName table,
      KeySpace keys,
      ReadAhead readAhead,
      BoundQuery query,
      Optional<byte[]> queryId,
      Plain plain) {
    this.connection = connection;
    this.table = table;
    this.borders = new RegionBorders(connection, table, keys);
    this.readAhead = readAhead;
    this.query = query;
    this.queryId = queryId;
    this.plain = plain;
  }

  @Override
  public Optional<RowStream> first() throws IOException {
    return plain.first();
  }

  @Override
  public boolean mayBeServed() {
    return query.mayBeServedInOrder();
  }

  /**
   * Of few rows each region first sends its share and as much again: values are hardly ever spread
   * so that one has all.
   */
  @Override
  public RowSource ordered(RowRange part, Optional<ValuePosition> after, int parts)
      throws IOException {
    Scan scan =
        query
            .ordered(part, after, queryId)
            .setCaching(caching(parts))
            .setMaxResultSize(readAhead.pageBytes(parts));
    return ConditionRows.open(connection, table, scan, row -> row);
  }

  private int caching(int parts) {
    int most = query.query().caching();
    if (query.query().limit().isEmpty()) {
      return most;
    }
    long share = Math.max(LEAST_CACHING, 2 * query.limit() / parts);
    return (int) Math.min(Math.min(query.limit(), share), most);
  }

  @Override
  public RowStream plain(List<RowRange> ranges) throws IOException {
    return plain.of(ranges);
  }

  @Override
  public RowStream plain() throws IOException {
    return plain.all();
  }

  @Override
  public List<RowRange> cut(RowRange range, boolean now) throws IOException {
    return now ? borders.now(range) : borders.cut(RowRanges.of(range));
  }

  @Override
  public void pause(int times) throws InterruptedIOException {
    Pauses.growing(times);
  }
}
