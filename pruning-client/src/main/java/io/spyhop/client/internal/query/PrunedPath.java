package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.prune.Part;
import io.spyhop.client.internal.prune.PrunedQuery;
import io.spyhop.client.internal.prune.PrunedRows;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Scans of the regions whose statistics do not rule them out. Not thread-safe. */
public final class PrunedPath implements QueryPath {
  private final QueryContext context;
  private Optional<PrunedRows> scans = Optional.empty();

  PrunedPath(QueryContext context) {
    this.context = context;
  }

  @Override
  public Optional<RowStream> open(RowRanges rows) {
    TableContext table = context.table();
    PrunedRows opened =
        new PrunedRows(table.pruning(), question(rows), context::scans, context.demand());
    scans = Optional.of(opened);
    return Optional.of(opened);
  }

  /** What would be decided of the parts of the table. */
  public List<Part> decide() throws IOException {
    return context.table().pruning().decide(question(context.query().rows()));
  }

  private PrunedQuery question(RowRanges rows) {
    BoundQuery query = context.query();
    return new PrunedQuery(
        query.predicate(), query.families(), rows, query.settings().consistency());
  }

  /** What was decided of each part so far. */
  public List<Part> parts() {
    return scans.map(PrunedRows::parts).orElse(List.of());
  }
}
