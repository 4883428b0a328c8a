package io.spyhop.server.query.plan;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.memstore.MemstoreIndex;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * About how much a query reads of a store's memstore.
 *
 * @param uncovered cells that are looked at one by one, as there is no index of the memstore
 * @param writes how many writes the index has
 * @param found how many of these are in range
 * @param foundCells the cells of their rows
 */
record MemstoreEstimate(long uncovered, long writes, long found, long foundCells) {
  /**
   * What a query reads that a local index drives.
   *
   * @param known the memstore's index, if there is one and such a query uses it
   */
  static MemstoreEstimate of(
      HStore store, Optional<MemstoreIndex> known, IndexDefinition driving, KeyRanges ranges) {
    long cells = store.getMemStoreSize().getCellsCount();
    BoundColumn column = new BoundColumn(driving.column(), driving.type());
    Optional<MemstoreIndex> index = known.filter(i -> i.has(column));
    if (index.isEmpty()) {
      return new MemstoreEstimate(cells, 0, 0, 0);
    }
    long writes = index.get().writes();
    long found = index.get().estimate(column, ranges);
    double share = writes == 0 ? 0 : (double) found / writes;
    return new MemstoreEstimate(0, writes, found, (long) Math.ceil(share * cells));
  }
}
