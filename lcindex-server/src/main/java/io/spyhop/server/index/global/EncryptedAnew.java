package io.spyhop.server.index.global;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has files of index tables written again that are not encrypted as their family is by now: HBase
 * writes new files so, and leaves those that are there. What is owed is what the files say, so
 * nobody who dies or waits too long forgets it. Thread-safe.
 */
final class EncryptedAnew {
  private static final Logger LOG = LoggerFactory.getLogger(EncryptedAnew.class);

  /** A compaction that was not made is asked for again: where they are off, none is. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Supplier<CompactionRequester> compactions;

  /** The files of a store that have been looked at; looking takes the family's key. */
  private final Cache<HStore, Set<String>> looked =
      CacheBuilder.newBuilder().weakKeys().expireAfterWrite(PATIENCE).build();

  /**
   * @param compactions the server's, which it has when regions are open
   */
  EncryptedAnew(Supplier<CompactionRequester> compactions) {
    this.compactions = compactions;
  }

  /**
   * Asks for the compactions that a region owes, unless its files are those of a while ago.
   *
   * @throws IOException if the family's key or a file cannot be read, or none can be asked for
   */
  void run(HRegion region) throws IOException {
    for (HStore store : region.getStores()) {
      if (store.getColumnFamilyDescriptor().getEncryptionType() != null) {
        Collection<HStoreFile> files = store.getStorefiles();
        Set<String> names =
            files.stream().map(f -> f.getPath().getName()).collect(Collectors.toSet());
        if (!names.equals(looked.getIfPresent(store))) {
          looked.put(store, names);
          look(region, store, files);
        }
      }
    }
  }

  /** Only a user's compaction takes all files. */
  private void look(HRegion region, HStore store, Collection<HStoreFile> files) throws IOException {
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    if (isOwed(region.getReadOnlyConfiguration(), family, files)) {
      LOG.info("Files of {} of {} are encrypted otherwise, and written again", store, region);
      store.triggerMajorCompaction();
      compactions
          .get()
          .requestCompaction(
              region,
              store,
              "encrypted otherwise",
              Store.PRIORITY_USER,
              CompactionLifeCycleTracker.DUMMY,
              null);
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
    Encryption.Context context =
        file.getReader().getHFileReader().getFileContext().getEncryptionContext();
    return context == null
        || context.getCipher() == null
        || (key != null && !key.equals(context.getKeyBytesHash()));
  }
}
