package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.report.QueryCounts;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * A consistent list of the sources of a query in the order of values: HFiles with index files, and
 * what is read cell by cell and sorted. Not thread-safe.
 */
public final class OrderedSources implements Closeable {
  private final IndexedQuery query;
  private final boolean descending;
  private final KeyRanges keys;
  private final QueryCounts counts;
  private final QueryMemory memory;
  private final StoreSnapshot snapshot;
  private final SourceVerdict trust;
  private final MemorySources inMemory;
  private final MemoryEntries sorted;
  private EntryMerge merge;

  /**
   * @param keys of rows in the answer
   * @param readPoint what the query does not see cells above of
   */
  public OrderedSources(
      IndexedQuery query,
      boolean descending,
      KeyRanges keys,
      RegionIndexes indexes,
      RegionStatistics statistics,
      long readPoint,
      QueryCounts counts,
      QueryMemory memory)
      throws IOException {
    this.query = query;
    this.descending = descending;
    this.keys = keys;
    this.counts = counts;
    this.memory = memory;
    this.snapshot = StoreSnapshot.take(query, indexes, statistics, readPoint);
    boolean ready = false;
    try {
      this.trust = new SourceVerdict(query, snapshot);
      this.inMemory = new MemorySources(query, snapshot, trust, memory, /* toFiles= */ false);
      this.sorted =
          new MemoryEntries(query, descending, keys, snapshot, inMemory, trust, counts, memory);
      ready = true;
    } finally {
      if (!ready) {
        snapshot.close();
      }
    }
  }

  /**
   * Goes on reading what is read cell by cell until all is sorted or the time is up.
   *
   * @return whether all is
   * @throws QueryMemory.ExhaustedException if it does not fit into memory
   * @throws MemoryEntries.UnkeyableException if some value has no key
   */
  public boolean collect(BooleanSupplier timeIsUp) throws IOException {
    return sorted.collect(timeIsUp);
  }

  /** All sources as one sequence, which is closed with this; call once, when all is collected. */
  public EntryMerge merge() throws IOException {
    merge = new EntryMerge(descending);
    merge.add(sorted);
    for (FileSource file : snapshot.covered()) {
      if (file.index().orElseThrow().counts().unkeyable() > 0) {
        throw new MemoryEntries.UnkeyableException();
      }
      merge.add(
          new FileEntries(
              query,
              descending,
              keys,
              file,
              snapshot.rivals(file),
              trust,
              inMemory.rows(),
              counts,
              memory));
    }
    return merge;
  }

  /** Bytes on the heap, but for those of candidates, about. */
  public long heapSize() {
    return trust.memstoreRows().heapSize();
  }

  @Override
  public void close() {
    try {
      if (merge != null) {
        merge.close();
      }
    } finally {
      snapshot.close();
    }
  }
}
