package io.spyhop.server.index.local.upkeep;

import io.spyhop.server.index.local.HFileRows;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.PairFinder;
import io.spyhop.server.index.local.ReadSettings;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.RowBounds;
import io.spyhop.server.runtime.Pacer;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * Finds the rows that an HFile has in common with the others of its store, so that no query has to.
 * It lets requests go first, but for those that wait for it. Blocks that it reads do not go to the
 * block cache. Not thread-safe.
 */
final class PairSearch {
  private final RegionIndexes indexes;
  private final HStore store;
  private final Pacer pacer;
  private final BooleanSupplier cancelled;

  /**
   * @param cancelled whether the region closes
   */
  PairSearch(RegionIndexes indexes, HStore store, Pacer pacer, BooleanSupplier cancelled) {
    this.indexes = indexes;
    this.store = store;
    this.pacer = pacer;
    this.cancelled = cancelled;
  }

  /** An HFile and the file of its rows, both held. */
  private record Side(HStoreFile file, StoreFileReader hfile, IndexFile index, HFileRows rows)
      implements Closeable {
    String name() {
      return file.getPath().getName();
    }

    boolean overlaps(Side other) {
      return RowBounds.of(hfile.getHFileReader())
          .overlaps(RowBounds.of(other.hfile.getHFileReader()));
    }

    @Override
    public void close() throws IOException {
      SpyhopAccess.letGo(hfile);
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
            look(own, other);
          }
        }
      }
    }
  }

  /** One that a compaction replaces meanwhile is left out. */
  private void look(Side own, HStoreFile file) throws IOException {
    try {
      Optional<Side> found = open(file);
      if (found.isPresent()) {
        try (Side other = found.get()) {
          find(own, other);
        }
      }
    } catch (CancellationException | IOException e) {
      if (isOver(own) || !file.isCompactedAway()) {
        throw e;
      }
    }
  }

  private void find(Side own, Side other) throws IOException {
    if (own.overlaps(other)) {
      indexes
          .pairs()
          .of(own.name())
          .with(
              indexes.pairs().of(other.name()),
              awaited -> PairFinder.find(own.rows, other.rows, () -> isOver(own, other, awaited)));
    }
  }

  /** Asked now and then. */
  private boolean isOver(Side own, Side other, BooleanSupplier awaited) {
    if (!awaited.getAsBoolean()) {
      pacer.pace();
    }
    return isOver(own) || other.file.isCompactedAway();
  }

  private boolean isOver(Side own) {
    return cancelled.getAsBoolean() || own.file.isCompactedAway();
  }

  /** Empty if there is no file of its rows, or the HFile is closed. */
  private Optional<Side> open(HStoreFile file) throws IOException {
    StoreFileReader hfile = file.getReader();
    Optional<IndexFile> rows = indexes.rows(file.getPath().getName()).filter(IndexFile::retain);
    if (rows.isEmpty() || hfile == null) {
      release(rows);
      return Optional.empty();
    }
    SpyhopAccess.hold(hfile);
    boolean ready = false;
    try {
      ReadSettings settings =
          new ReadSettings(
              store.getCacheConfig(), indexes.recent(), SpyhopAccess.configuration(store), false);
      HFileRows read = new HFileRows(hfile, rows.get(), settings);
      Side side = new Side(file, hfile, rows.get(), read);
      ready = true;
      return Optional.of(side);
    } finally {
      if (!ready) {
        SpyhopAccess.letGo(hfile);
        release(rows);
      }
    }
  }

  private static void release(Optional<IndexFile> file) throws IOException {
    if (file.isPresent()) {
      file.get().release();
    }
  }
}
