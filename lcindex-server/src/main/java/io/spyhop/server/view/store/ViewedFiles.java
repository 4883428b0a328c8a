package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * The HFiles of a store, and which of them a view is of: worked out once, and true for all scans
 * until a flush, a compaction or a newer view. Immutable.
 */
final class ViewedFiles {
  private final SortedView view;
  private final HStoreFile[] given;
  private final HStoreFile[] files;
  private final StoreFileReader[] readers;
  private final int[] orders;
  private final List<HStoreFile> others = new ArrayList<>();
  private final List<Integer> othersOrders = new ArrayList<>();
  private int count;
  private boolean isAscending = true;

  /**
   * @param given as the store has them
   */
  ViewedFiles(SortedView view, Collection<HStoreFile> given) throws IOException {
    this.view = view;
    this.given = given.toArray(HStoreFile[]::new);
    int runs = view.runs().size();
    files = new HStoreFile[runs];
    readers = new StoreFileReader[runs];
    orders = new int[runs];
    List<HStoreFile> byAge = new ArrayList<>(given);
    for (HStoreFile f : byAge) {
      f.initReader(); // as HBase does; what age is is read with it
    }
    byAge.sort(SpyhopAccess.byAge());
    for (int order = 0; order < byAge.size(); order++) {
      add(byAge.get(order), order);
    }
  }

  /** Of equal cells HBase takes that of the file with the higher order first, a view by rank. */
  private void add(HStoreFile file, int order) {
    StoreFileReader reader = file.getReader();
    int rank =
        reader.getClass() == StoreFileReader.class
            ? view.rank(reader.getHFileReader().getPath().getName())
            : -1;
    if (rank < 0) {
      others.add(file);
      othersOrders.add(order);
      return;
    }
    for (int higher = rank + 1; higher < files.length; higher++) {
      isAscending &= files[higher] == null;
    }
    files[rank] = file;
    readers[rank] = reader;
    orders[rank] = order;
    count++;
  }

  /** Whether this is of a view and of the very files that a store has now. */
  boolean isOf(SortedView asked, Collection<HStoreFile> now) {
    if (asked != view || now.size() != given.length) {
      return false;
    }
    int i = 0;
    for (HStoreFile f : now) {
      if (f != given[i++]) {
        return false;
      }
    }
    return true;
  }

  SortedView view() {
    return view;
  }

  /** How many of the files the view is of. */
  int count() {
    return count;
  }

  /** How many of the files the view is not of. */
  int apart() {
    return others.size();
  }

  /** Whether HBase ranks the files as the view does. */
  boolean isAscending() {
    return isAscending;
  }

  /** The reader of a run's file by its rank; null if the store does not have the file. */
  StoreFileReader reader(int rank) {
    return readers[rank];
  }

  /** Where HBase ranks a run's file among all files of the store. */
  int order(int rank) {
    return orders[rank];
  }

  /** HBase's scanner of a run's file. */
  StoreFileScanner open(int rank, boolean cacheBlocks, long readPoint, boolean hasColumns) {
    return files[rank].getPreadScanner(cacheBlocks, readPoint, orders[rank], hasColumns);
  }

  /** Adds HBase's scanners of the files that the view is not of. */
  void openOthers(
      List<KeyValueScanner> scanners, boolean cacheBlocks, long readPoint, boolean hasColumns) {
    for (int i = 0; i < others.size(); i++) {
      scanners.add(
          others.get(i).getPreadScanner(cacheBlocks, readPoint, othersOrders.get(i), hasColumns));
    }
  }
}
