package io.spyhop.server.index.global.repair;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a region that compactions have replaced. HBase keeps one in the region's directory
 * as long as a scanner reads it, also when the region closes; what comes of a split or merge then
 * has it again, and in it cells of which the entries have gone. Thread-safe.
 */
final class ReplacedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ReplacedFiles.class);

  private final HRegion region;
  private final Set<HStoreFile> inputs = new HashSet<>();

  ReplacedFiles(HRegion region) {
    this.region = region;
  }

  /** A compaction begins, which may fail; files that HBase has removed are forgotten. */
  synchronized void compacting(Collection<? extends StoreFile> files) {
    Set<HStoreFile> away =
        inputs.stream().filter(HStoreFile::isCompactedAway).collect(Collectors.toSet());
    for (HStore store : region.getStores()) {
      away.removeAll(replacedIn(store));
    }
    inputs.removeAll(away);
    files.forEach(f -> inputs.add((HStoreFile) f));
  }

  /** A compaction that has marked its inputs has handed them over, when this is asked. */
  private static Collection<HStoreFile> replacedIn(HStore store) {
    store.getStoreEngine().readLock();
    try {
      return store.getCompactedFiles();
    } finally {
      store.getStoreEngine().readUnlock();
    }
  }

  /** Whether the region, which has closed, has left such a file behind, or that cannot be told. */
  synchronized boolean areLeft() {
    for (HStoreFile f : inputs) {
      try {
        if (f.isCompactedAway() && region.getFilesystem().exists(f.getPath())) {
          LOG.info(
              "{} leaves {} behind, which a scanner reads, and a compaction replaced", region, f);
          return true;
        }
      } catch (IOException e) {
        LOG.warn("{} may leave files behind that compactions have replaced", region, e);
        return true;
      }
    }
    return false;
  }
}
