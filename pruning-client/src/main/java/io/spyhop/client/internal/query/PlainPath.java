package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import java.io.IOException;
import java.util.Optional;

/** Scans of all regions, each of which chooses its own index. */
record PlainPath(QueryContext context) implements QueryPath {
  @Override
  public Optional<RowStream> open(RowRanges rows) throws IOException {
    return Optional.of(context.scans(context.table().keys().cut(rows)));
  }
}
