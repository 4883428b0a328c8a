package io.spyhop.client.internal.query;

import io.spyhop.client.internal.bucket.KeyOrderRows;
import io.spyhop.client.internal.bucket.UserRows;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.SortedRows;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of a bucketed table by users' keys: merged from regions that order their own, or those
 * of other paths, sorted.
 *
 * @param below paths whose rows come by stored keys
 */
record KeyOrderPath(QueryContext context, List<QueryPath> below) implements QueryPath {
  @Override
  public Optional<RowStream> open(RowRanges rows) throws IOException {
    BoundQuery query = context.query();
    boolean few = query.isLimited() && !query.hasGlobalDriver() && !query.range().isOneRow();
    if (few || query.isOfManyRuns()) {
      return Optional.of(merged());
    }
    RowStream unsorted = context.inUsersKeys(new PathRows(below, rows));
    SortedRows.Limits limits = SortedRows.Limits.of(context.table().conf(), query.limit());
    return Optional.of(new SortedRows(unsorted, limits, MergedRows.BY_ROW, this::merged));
  }

  private RowStream merged() throws IOException {
    BoundQuery query = context.query();
    TableContext table = context.table();
    return new KeyOrderRows(
            query.keys().orElseThrow(),
            table.borders(),
            table.pool(),
            new Reader(context),
            context.scan(RowRange.ALL, null),
            query.limit())
        .of(query.range());
  }

  /** Reads what the query selects. */
  private record Reader(QueryContext context) implements KeyOrderRows.Reader {
    @Override
    public RowSource open(Scan scan) throws IOException {
      return context.table().open(scan, this::shape);
    }

    @Override
    public Result shape(Result stored) {
      return UserRows.of(context.query().projection().strip(stored));
    }
  }
}
