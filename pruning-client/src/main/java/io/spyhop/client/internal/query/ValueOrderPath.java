package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.Pauses;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.order.SortMemory;
import io.spyhop.client.internal.order.ValueRows;
import io.spyhop.core.order.ValuePosition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of a query in the order of a column's values: the first ones by a global index, or each
 * region's in that order, or those of other paths, sorted. Not thread-safe.
 */
public final class ValueOrderPath implements QueryPath, ValueRows.Ways {
  /** Rows that a region sends at a time at least. */
  private static final int LEAST_CACHING = 4;

  private final QueryContext context;
  private final QueryContext toSort;
  private final List<QueryPath> below;
  private final RegionBorders borders;
  private final SortMemory memory;
  private Optional<OrderedSearch.Answer> answer = Optional.empty();

  /**
   * @param toSort the same query for all rows in another order
   * @param below paths to its rows
   */
  ValueOrderPath(QueryContext context, QueryContext toSort, List<QueryPath> below) {
    TableContext table = context.table();
    this.context = context;
    this.toSort = toSort;
    this.below = below;
    this.borders = table.borders();
    this.memory = SortMemory.of(table.conf());
  }

  @Override
  public Optional<RowStream> open(RowRanges rows) {
    BoundQuery query = context.query();
    return Optional.of(
        new ValueRows(
            query.range(),
            query.order().orElseThrow(),
            query.limit(),
            this,
            context.table().pool(),
            query.projection()::strip,
            memory));
  }

  @Override
  public List<QueryPath> below() {
    return below;
  }

  /** What a global index said when it was asked for the first rows, if one was. */
  Optional<OrderedSearch.Answer> answer() {
    return answer;
  }

  @Override
  public Optional<RowStream> first() throws IOException {
    TableContext table = context.table();
    answer =
        new OrderedStart(context.query(), toSort.query(), table.orders(), memory.bound())
            .search(
                () -> table.keys().cut(context.query().rows()).size(),
                table.costs().of(toSort.query()),
                table.pool().threads(),
                toSort::candidates);
    return answer.flatMap(OrderedSearch.Answer::rows).map(RowStream::of).map(toSort::inUsersKeys);
  }

  @Override
  public boolean mayBeServed() {
    return context.query().mayBeServedInOrder();
  }

  /**
   * Of few rows each region first sends its share and as much again: values are hardly ever spread
   * so that one has all.
   */
  @Override
  public RowSource ordered(RowRange part, Optional<ValuePosition> after, int parts)
      throws IOException {
    TableContext table = context.table();
    Scan scan =
        context
            .query()
            .ordered(part, after, context.id())
            .setCaching(caching(parts))
            .setMaxResultSize(table.pool().readAhead().pageBytes(parts));
    return table.open(scan, row -> row);
  }

  private int caching(int parts) {
    BoundQuery query = context.query();
    int most = query.settings().caching();
    if (!query.isLimited()) {
      return most;
    }
    long share = Math.max(LEAST_CACHING, 2 * query.limit() / parts);
    return (int) Math.min(Math.min(query.limit(), share), most);
  }

  @Override
  public RowStream plain(List<RowRange> ranges) throws IOException {
    return toSort.scans(ranges);
  }

  @Override
  public RowStream plain() {
    return toSort.inUsersKeys(new PathRows(below, toSort.query().rows()));
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
