package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.MemoryRows;
import io.spyhop.server.memory.QueryMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sources that a query reads cell by cell: rows of the memstore, those that its index finds if
 * it has one, and HFiles without index files. Not thread-safe.
 */
final class MemorySources {
  private final IndexedQuery query;
  private final StoreSnapshot snapshot;
  private final SourceVerdict trust;
  private final Optional<FoundRows> found;

  /**
   * @param toFiles whether rows may be left out that HFiles find
   */
  MemorySources(
      IndexedQuery query,
      StoreSnapshot snapshot,
      SourceVerdict trust,
      QueryMemory memory,
      boolean toFiles) {
    this.query = query;
    this.snapshot = snapshot;
    this.trust = trust;
    this.found =
        snapshot.memstoreIndex().isEmpty() || snapshot.memstore().isEmpty()
            ? Optional.empty()
            : Optional.of(new FoundRows(query, snapshot, trust, memory, toFiles));
  }

  /**
   * Readers of all of it, the memstore first: which rows it holds must be known before a record is
   * trusted.
   */
  List<UncoveredReader> readers() {
    if (found.isEmpty()) {
      return UncoveredReader.of(query, snapshot, trust.memstoreRows());
    }
    List<UncoveredReader> all = new ArrayList<>();
    all.add(UncoveredReader.ofRows(query, snapshot.memstore(), found.get()));
    all.addAll(UncoveredReader.ofFiles(query, snapshot));
    return all;
  }

  /** What is known of the memstore, when the readers are at their end. */
  MemoryRows rows() {
    return found.isPresent()
        ? found.get()
        : new MemstoreRows(query, trust.memstoreRows().hashes(), snapshot.memstore());
  }

  /** Whether HFiles find each row that they have a part of. */
  boolean areLeftToFiles() {
    return found.filter(FoundRows::areLeftToFiles).isPresent();
  }
}
