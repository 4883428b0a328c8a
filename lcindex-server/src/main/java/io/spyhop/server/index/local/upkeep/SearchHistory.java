package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * For which HFiles of a region index files may exist already, here or elsewhere, and have not been
 * looked for in vain. Thread-safe.
 */
final class SearchHistory {
  private static final long OVER = -1;

  private final boolean sharedStorage;
  private final Set<IndexDefinition> older;
  private final Set<String> inherited = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> since = new ConcurrentHashMap<>();

  /**
   * @param sharedStorage whether a moved region has its files where it opens
   * @param older the indexes that were there when the region opened; those that were created since
   *     have no files elsewhere
   */
  SearchHistory(boolean sharedStorage, Collection<IndexDefinition> older) {
    this.sharedStorage = sharedStorage;
    this.older = Set.copyOf(older);
  }

  /** These HFiles were there when the region opened. */
  void inherit(Collection<String> hfiles) {
    inherited.addAll(hfiles);
  }

  /** Whether to look for index files of an HFile. */
  boolean isWorthwhile(String hfile, List<IndexDefinition> missing) {
    boolean borrowed = StoreFileInfo.isReference(hfile) || HFileLink.isHFileLink(hfile);
    return missing.stream().anyMatch(older::contains)
        && since.getOrDefault(hfile, 0L) != OVER
        && (borrowed || inherited.contains(hfile) && !sharedStorage);
  }

  /** A search begins. */
  void begin(Collection<String> hfiles, long now) {
    hfiles.forEach(h -> since.putIfAbsent(h, now));
  }

  /**
   * A search has ended.
   *
   * @param mayTurnUp whether the files may still turn up
   * @param wait for how long to go on searching then, milliseconds
   * @return whether the search is over
   */
  boolean end(String hfile, boolean mayTurnUp, long now, long wait) {
    if (mayTurnUp && now - since.getOrDefault(hfile, now) < wait) {
      return false;
    }
    since.put(hfile, OVER);
    return true;
  }

  /** Forgets HFiles that are gone. */
  void retainOnly(Set<String> hfiles) {
    inherited.retainAll(hfiles);
    since.keySet().retainAll(hfiles);
  }
}
