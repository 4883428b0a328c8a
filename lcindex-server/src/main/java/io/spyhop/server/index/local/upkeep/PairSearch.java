package io.spyhop.server.index.local.upkeep;

import io.spyhop.server.index.local.HFileRows;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.PairFinder;
import io.spyhop.server.index.local.ReadSettings;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.RowSpan;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * Finds the rows that an HFile has in common with the others of its store, so that no query has to.
 * Blocks that it reads do not go to the block cache. Not thread-safe.
 */
final class PairSearch {
  private final RegionIndexes indexes;
  private final HStore store;
  private final BooleanSupplier cancelled;

  /**
   * @param cancelled asked now and then
   */
  PairSearch(RegionIndexes indexes, HStore store, BooleanSupplier cancelled) {
    this.indexes = indexes;
    this.store = store;
    this.cancelled = cancelled;
  }

  /** An HFile and the file of its rows, both held. */
  private record Side(String name, StoreFileScanner hfile, IndexFile index, HFileRows rows)
      implements Closeable {
    RowSpan span() {
      return RowSpan.of(SpyhopAccess.reader(hfile).getHFileReader());
    }

    @Override
    public void close() throws IOException {
      hfile.close();
      index.release();
    }
  }

  /** Looks at all HFiles that have a file of their rows, if this one has. */
  void of(HStoreFile file) throws IOException {
    Optional<Side> found = open(file);
    if (found.isPresent()) {
      try (Side own = found.get()) {
        for (HStoreFile other : store.getStorefiles()) {
          if (other != file) {
            find(own, other);
          }
        }
      }
    }
  }

  private void find(Side own, HStoreFile file) throws IOException {
    Optional<Side> found = open(file);
    if (found.isPresent()) {
      try (Side other = found.get()) {
        if (own.span().overlaps(other.span())) {
          indexes
              .shared(own.name)
              .with(
                  indexes.shared(other.name),
                  () -> PairFinder.find(own.rows, other.rows, cancelled));
        }
      }
    }
  }

  /** Empty if there is no file of its rows. */
  private Optional<Side> open(HStoreFile file) throws IOException {
    String name = file.getPath().getName();
    Optional<IndexFile> rows = indexes.rows(name).filter(IndexFile::retain);
    return rows.isEmpty() ? Optional.empty() : Optional.of(open(file, name, rows.get()));
  }

  private Side open(HStoreFile file, String name, IndexFile index) throws IOException {
    StoreFileScanner hfile = null;
    boolean ready = false;
    try {
      file.initReader();
      hfile = file.getPreadScanner(false, Long.MAX_VALUE, 0, false);
      StoreFileReader reader = SpyhopAccess.reader(hfile);
      ReadSettings settings =
          new ReadSettings(
              store.getCacheConfig(), indexes.recent(), store.getReadOnlyConfiguration(), false);
      Side side = new Side(name, hfile, index, new HFileRows(reader, index, settings));
      ready = true;
      return side;
    } finally {
      if (!ready) {
        if (hfile != null) {
          hfile.close();
        }
        index.release();
      }
    }
  }
}
