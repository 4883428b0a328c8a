package io.spyhop.client.internal.query;

import io.spyhop.client.internal.bucket.PrefixRuns;
import io.spyhop.client.internal.bucket.StoredRows;
import io.spyhop.client.internal.bucket.UserRows;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.SortedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of a bucketed table by users' keys: those of other paths, sorted, or merged by the
 * prefixes of stored keys if there are too many of them to be sorted.
 *
 * @param below paths whose rows come by stored keys
 */
record KeyOrderPath(QueryContext context, List<QueryPath> below) implements QueryPath {
  @Override
  public Optional<RowStream> open(RowRanges rows) {
    RowStream unsorted = context.inUsersKeys(new PathRows(below, rows));
    return Optional.of(new SortedRows(unsorted, limits(), MergedRows.BY_ROW, this::merged));
  }

  /** Where a global index finds the rows, all of them are found sooner than by scans. */
  private SortedRows.Limits limits() {
    BoundQuery query = context.query();
    SortedRows.Limits limits = SortedRows.Limits.of(context.table().conf(), query.limit());
    return query.hasGlobalDriver()
        ? limits
        : limits.seeing(PrefixRuns.rowsRead(query.keys().orElseThrow(), query.limit()));
  }

  private RowStream merged() throws IOException {
    BoundQuery query = context.query();
    TableContext table = context.table();
    List<List<RowRange>> runs = new ArrayList<>();
    for (RowRange run : StoredRows.runs(query.keys().orElseThrow(), query.range())) {
      runs.add(table.keys().cut(RowRanges.of(run)));
    }
    RowSource.Opener opener =
        part -> {
          Scan scan = PrefixRuns.paged(context.scan(part, null), runs.size(), table.pool());
          return UserRows.of(table.open(scan, query.projection()::strip));
        };
    return PrefixRuns.merged(runs, opener, false, table.pool(), query.limit());
  }
}
