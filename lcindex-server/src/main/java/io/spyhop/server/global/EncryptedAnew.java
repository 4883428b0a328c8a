package io.spyhop.server.global;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequester;
import org.apache.hadoop.hbase.security.EncryptionUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has files of index tables written again that are not encrypted as their family is by now: HBase
 * writes new files so, and leaves those that are there. What is owed is what the files say, so
 * nobody who dies or waits too long forgets it. Thread-safe.
 */
final class EncryptedAnew {
  private static final Logger LOG = LoggerFactory.getLogger(EncryptedAnew.class);

  /** A request that nobody answers is made again: where compactions are off, none is answered. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Supplier<CompactionRequester> compactions;
  private final Cache<HStore, Boolean> asked =
      Caffeine.newBuilder().weakKeys().expireAfterWrite(PATIENCE).build();

  /**
   * @param compactions the server's, which it has when regions are open
   */
  EncryptedAnew(Supplier<CompactionRequester> compactions) {
    this.compactions = compactions;
  }

  /**
   * Asks for the compactions that a region owes.
   *
   * @throws IOException if the family's key or a file cannot be read, or none can be asked for
   */
  void run(HRegion region) throws IOException {
    for (HStore store : region.getStores()) {
      ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
      if (family.getEncryptionType() != null
          && asked.getIfPresent(store) == null
          && isOwed(region.getReadOnlyConfiguration(), family, store.getStorefiles())) {
        compact(region, store);
      }
    }
  }

  private static boolean isOwed(
      Configuration conf, ColumnFamilyDescriptor family, Collection<HStoreFile> files)
      throws IOException {
    byte[] key = family.getEncryptionKey();
    String wanted =
        key == null ? null : EncryptionUtil.createEncryptionContext(conf, family).getKeyBytesHash();
    return files.stream().anyMatch(f -> isOtherwise(f, wanted));
  }

  /**
   * Whether a file is in plain bytes, or of another key than the family's.
   *
   * @param key the hash of the family's key, or null if each file has its own
   */
  private static boolean isOtherwise(HStoreFile file, String key) {
    if (file.getReader() == null) {
      return false;
    }
    Encryption.Context its =
        file.getReader().getHFileReader().getFileContext().getEncryptionContext();
    return its == null
        || its.getCipher() == null
        || (key != null && !key.equals(its.getKeyBytesHash()));
  }

  /** Only a user's compaction takes all files. */
  private void compact(HRegion region, HStore store) throws IOException {
    asked.put(store, true);
    boolean accepted = false;
    try {
      store.triggerMajorCompaction();
      compactions
          .get()
          .requestCompaction(
              region, store, "encrypted otherwise", Store.PRIORITY_USER, until(store), null);
      accepted = true;
    } finally {
      if (!accepted) {
        asked.invalidate(store);
      }
    }
  }

  private CompactionLifeCycleTracker until(HStore store) {
    return new CompactionLifeCycleTracker() {
      @Override
      public void notExecuted(Store of, String reason) {
        asked.invalidate(store);
      }

      @Override
      public void afterExecution(Store of) {
        LOG.info("Files of {} are written again, as they were encrypted otherwise", of);
      }

      @Override
      public void completed() {
        asked.invalidate(store);
      }
    };
  }
}
