package io.spyhop.server.query.candidate;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.KnownMatches;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.SharedRows;
import io.spyhop.server.index.memstore.MemstoreIndex;
import io.spyhop.server.index.stats.RegionStatistics;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consistent list of a store's sources: HFiles and memstore taken in one step (taken in two,
 * rows are lost when a flush comes between), and for each HFile its index files if committed. Not
 * thread-safe.
 */
public final class StoreSnapshot implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreSnapshot.class);

  private final List<FileSource> files = new ArrayList<>();
  private final List<KeyValueScanner> memstore = new ArrayList<>();
  private final List<KeyValueScanner> all;
  private final Optional<MemstoreIndex> index;
  private final KnownMatches matches;

  private StoreSnapshot(
      List<KeyValueScanner> all, Optional<MemstoreIndex> index, KnownMatches matches) {
    this.all = all;
    this.index = index;
    this.matches = matches;
  }

  /**
   * Takes the list, and before it what the memstore's index has.
   *
   * @param readPoint what the scanners hide cells above of
   */
  public static StoreSnapshot take(
      IndexedQuery query, RegionIndexes indexes, RegionStatistics statistics, long readPoint)
      throws IOException {
    HStore store = query.store();
    Scan scan = query.scan();
    Optional<MemstoreIndex> index = query.memstoreIndex(statistics);
    StoreSnapshot snapshot =
        new StoreSnapshot(
            store.getScanners(
                scan.getCacheBlocks(),
                true,
                false,
                null,
                scan.getStartRow(),
                scan.includeStartRow(),
                scan.getStopRow(),
                scan.includeStopRow(),
                readPoint,
                false),
            index,
            indexes.matches());
    boolean taken = false;
    try {
      snapshot.sort(names(store), indexes, query, readPoint);
      taken = true;
    } finally {
      if (!taken) {
        snapshot.close();
      }
    }
    return snapshot;
  }

  /**
   * The store's files by reader: a scanner of a reference or a link only knows the file behind it,
   * index files go by the name in the store.
   */
  private static Map<StoreFileReader, String> names(HStore store) {
    Map<StoreFileReader, String> names = new IdentityHashMap<>();
    for (HStoreFile f : store.getStorefiles()) {
      names.put(f.getReader(), f.getPath().getName());
    }
    return names;
  }

  private void sort(
      Map<StoreFileReader, String> names,
      RegionIndexes indexes,
      IndexedQuery query,
      long readPoint) {
    for (KeyValueScanner s : all) {
      if (s instanceof StoreFileScanner file) {
        String name = names.get(SpyhopAccess.reader(file));
        IndexFile rows = name == null || !query.isColumnar() ? null : rows(indexes, name);
        boolean readable = name != null && (rows != null || !query.isColumnar());
        IndexFile index = readable ? acquire(indexes, name, query.driving(), query) : null;
        List<IndexFile> beside = index == null ? List.of() : beside(indexes, name, query);
        SharedRows shared = index == null ? null : indexes.pairs().of(name);
        files.add(
            new FileSource(
                file, query, rows, index, beside, shared, indexes.recent(), name, readPoint));
      } else {
        memstore.add(s);
      }
    }
  }

  /** Null if there are none. */
  private static IndexFile rows(RegionIndexes indexes, String name) {
    return indexes.rows(name).filter(IndexFile::retain).orElse(null);
  }

  /** Null if there are none that stand for the HFile. */
  private static IndexFile acquire(
      RegionIndexes indexes, String name, IndexDefinition index, IndexedQuery query) {
    return indexes
        .find(name, index)
        .filter(query.question()::isCoveredBy)
        .filter(IndexFile::retain)
        .orElse(null);
  }

  /** Columnar files of the predicate's other columns, where the driving index has one, too. */
  private static List<IndexFile> beside(RegionIndexes indexes, String name, IndexedQuery query) {
    List<IndexFile> beside = new ArrayList<>();
    for (IndexDefinition d : query.narrowing(indexes.schema())) {
      IndexFile file = acquire(indexes, name, d, query);
      if (file != null) {
        beside.add(file);
      }
    }
    return beside;
  }

  List<FileSource> files() {
    return files;
  }

  /** The files with index files. */
  public List<FileSource> covered() {
    return files.stream().filter(f -> f.index().isPresent()).toList();
  }

  /** The files that may hold a row of which a file has a record; of others nobody need ask. */
  public List<FileSource> rivals(FileSource of) {
    return files.stream().filter(f -> f != of && f.overlaps(of)).toList();
  }

  List<KeyValueScanner> memstore() {
    return memstore;
  }

  /** The rows that conditions found before in HFiles of the server. */
  KnownMatches matches() {
    return matches;
  }

  /** By what the memstore's rows are found; empty if it must be read cell by cell. */
  Optional<MemstoreIndex> memstoreIndex() {
    return index;
  }

  @Override
  public void close() {
    all.forEach(KeyValueScanner::close);
    for (IndexFile f : files.stream().flatMap(FileSource::held).toList()) {
      try {
        f.release();
      } catch (IOException e) {
        LOG.warn("Releasing the index files of {} failed; the sweep will delete them", f, e);
      }
    }
  }
}
