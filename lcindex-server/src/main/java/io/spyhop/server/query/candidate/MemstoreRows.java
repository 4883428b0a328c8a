package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.Condition;
import io.spyhop.server.index.local.MemoryRows;
import io.spyhop.server.index.local.WholeRow;
import io.spyhop.server.index.local.column.HashedRows;
import io.spyhop.server.index.local.column.RowHashes;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/**
 * The rows of a memstore, of which a query knows no more than which they are, and that it reads one
 * by one. Not thread-safe.
 */
class MemstoreRows implements MemoryRows {
  private final RowHashes none = new RowHashes();

  private final HashedRows all;
  private final List<KeyValueScanner> segments;
  private final WholeRow part;

  /**
   * @param segments scanners of all of the memstore, which others have done with
   */
  MemstoreRows(IndexedQuery query, HashedRows all, List<KeyValueScanner> segments) {
    this.all = all;
    this.segments = segments;
    this.part = new WholeRow(query.predicate(), query.qualifiers());
  }

  @Override
  public final HashedRows all() {
    return all;
  }

  @Override
  public RowHashes leftToFiles() {
    return none;
  }

  @Override
  public HashedRows of(Condition condition) throws IOException {
    return all;
  }

  @Override
  public final void addTo(WholeRow row, boolean newestOnly) throws IOException {
    Cell first =
        KeyValueUtil.createFirstOnRow(row.rowArray(), row.rowOffset(), (short) row.rowLength());
    for (KeyValueScanner segment : segments) {
      part.clear();
      segment.seek(first);
      for (Cell c = segment.peek(); c != null && row.has(c); c = segment.peek()) {
        part.add(KeyValueUtil.copyToNewKeyValue(c)); // a memstore may use its memory again
        segment.next();
      }
      if (!part.isEmpty()) {
        row.merge(part, newestOnly);
      }
    }
  }
}
