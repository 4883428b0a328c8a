package io.spyhop.server.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * The HFiles that stores had at a time, to tell cheaply whether they have others by now. Immutable.
 *
 * @param lists those that stores replace, and never change
 */
public record StoreFiles(List<Collection<HStoreFile>> lists) {
  /** Those of now, with the ones that were compacted and may still be read. */
  public static StoreFiles of(Collection<HStore> stores) {
    List<Collection<HStoreFile>> lists = new ArrayList<>(2 * stores.size());
    for (HStore store : stores) {
      lists.add(store.getStorefiles());
      lists.add(store.getCompactedFiles());
    }
    return new StoreFiles(lists);
  }

  /** Whether no store has been given other HFiles in between. */
  public boolean areStill(StoreFiles others) {
    boolean same = lists.size() == others.lists.size();
    for (int i = 0; same && i < lists.size(); i++) {
      same = lists.get(i) == others.lists.get(i);
    }
    return same;
  }
}
