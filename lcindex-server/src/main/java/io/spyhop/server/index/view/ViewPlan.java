package io.spyhop.server.index.view;

import io.spyhop.server.view.SortedView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * The next view of a store: of which HFiles, and whether by extending the one that there is. What
 * reading them costs is weighed against the HFiles that scans then need not read apart
 * (docs/decisions/0054). Immutable.
 *
 * @param old the view that is extended; null if all are merged
 * @param files in the order in which HBase ranks them, those of the old view among them
 */
record ViewPlan(SortedView old, List<HStoreFile> files) {
  /** By so many HFiles more a view is of, what flushes have earned is spent. */
  private static final int WORTHWHILE = 4;

  /** How many keys are merged in the time in which one is searched for. */
  private static final int SEARCHED_AS_MERGED = 32;

  /** An extension reads the old HFiles twice: to search, and to step from key to key. */
  private static final int READ = 2;

  private static final long BLOCK = 64 << 10;

  /**
   * The view that is to be made now; null if there is none.
   *
   * @param view of some of the files; null if there is none
   * @param live in the order in which HBase ranks them
   */
  static ViewPlan of(
      CellComparator comparator, SortedView view, List<HStoreFile> live, ViewCredit credit) {
    if (live.size() < 2 || view != null && view.runs().size() == live.size()) {
      return null;
    }
    if (view != null) {
      ViewPlan extension = extension(comparator, view, live, credit);
      if (extension != null) {
        return extension;
      }
    }
    int now = view == null ? 0 : view.runs().size();
    List<HStoreFile> all = smallest(live, credit.all());
    if (all.size() - now >= WORTHWHILE) {
      return new ViewPlan(null, all);
    }
    List<HStoreFile> paid = smallest(live, credit.lost());
    return paid.size() > Math.max(1, now) ? new ViewPlan(null, paid) : null;
  }

  /** Bytes of HFiles. */
  static long bytes(Collection<HStoreFile> files) {
    return files.stream().mapToLong(f -> f.getReader().length()).sum();
  }

  /** As many of the files as can be read. */
  private static List<HStoreFile> smallest(List<HStoreFile> live, long bytes) {
    Set<HStoreFile> taken = new HashSet<>();
    long left = bytes;
    for (HStoreFile f : bySize(live)) {
      left -= f.getReader().length();
      if (left < 0) {
        break;
      }
      taken.add(f);
    }
    return live.stream().filter(taken::contains).toList();
  }

  private static List<HStoreFile> bySize(Collection<HStoreFile> files) {
    List<HStoreFile> sorted = new ArrayList<>(files);
    sorted.sort(Comparator.comparingLong(f -> f.getReader().length()));
    return sorted;
  }

  /** By the files that cost little more than they are long, or that scans have paid for. */
  private static ViewPlan extension(
      CellComparator comparator, SortedView view, List<HStoreFile> live, ViewCredit credit) {
    List<HStoreFile> old = new ArrayList<>();
    List<HStoreFile> missing = new ArrayList<>();
    for (HStoreFile f : live) {
      (view.rank(f.getPath().getName()) < 0 ? missing : old).add(f);
    }
    long bytes = bytes(old);
    long cost = 0;
    Set<HStoreFile> taken = new HashSet<>(old);
    for (HStoreFile f : bySize(missing)) {
      long own = f.getReader().length();
      long more = cost(comparator, view, bytes, f.getReader());
      boolean isCheap = more <= READ * own || cost + more <= credit.lost();
      if (isCheap && cost + more <= credit.all()) {
        cost += more;
        taken.add(f);
      }
    }
    boolean isSooner = cost <= bytes(taken) && taken.size() > old.size();
    return isSooner ? new ViewPlan(view, live.stream().filter(taken::contains).toList()) : null;
  }

  /**
   * What it takes to add a file to a view: bytes read, or merged in the time of searches. Of the
   * segments at both ends it may need few keys, and searching all of them takes no time that
   * counts.
   */
  private static long cost(
      CellComparator comparator, SortedView view, long bytes, StoreFileReader added) {
    long entries = added.getEntries();
    Cell first = added.getFirstKey().orElse(null);
    Cell last = added.getLastKey().orElse(null);
    if (entries == 0 || first == null || last == null || view.keys() == 0) {
      return added.length();
    }
    SortedView.Stretch stretch = view.around(comparator, first, last);
    long between = stretch.keys();
    double share = (double) between / view.keys();
    long touched = (long) (bytes * share) + BLOCK * stretch.runs();
    long read = READ * Math.min(Math.min(bytes, touched), entries * BLOCK);
    long inside = Math.max(0, between - 2L * view.interval());
    long searched = added.length() / entries * Math.min(entries, inside) * SEARCHED_AS_MERGED;
    return added.length() + Math.max(read, searched);
  }
}
