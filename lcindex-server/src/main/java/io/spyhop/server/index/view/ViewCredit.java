package io.spyhop.server.index.view;

import io.spyhop.server.view.SortedView;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Keeps the account of bytes that may be read in order to make the views of one store: in
 * proportion to what flushes and bulk loads write, and as much as scans have lost by HFiles that no
 * view is of (docs/decisions/0054). Thread-safe.
 */
final class ViewCredit {
  /** Reading so little costs less than to think about it. */
  static final long FREE = 256 << 10;

  /** Bytes that may be read for each byte written. */
  private static final double SHARE = 1.25;

  /**
   * Bytes that are merged in the time that a scan of fifty rows loses by an HFile that is read
   * apart.
   */
  private static final long LOST = 1_536;

  private final LongAdder lost = new LongAdder();
  private final Set<String> seen = new HashSet<>();
  private boolean hasSeen;
  private double written;

  /** A scan reads so many HFiles more than it would if one view were of all. */
  void lose(int files) {
    lost.add(files * LOST);
  }

  /**
   * Takes note of HFiles that are new. Those of compactions have been written once before; when the
   * store is opened, nobody knows of them.
   *
   * @param view of which files need no credit; null if there is none
   */
  synchronized void see(Collection<HStoreFile> live, SortedView view) {
    Set<String> names = new HashSet<>();
    for (HStoreFile f : live) {
      String name = f.getPath().getName();
      names.add(name);
      boolean isWritten =
          hasSeen ? SpyhopAccess.compactedFrom(f).isEmpty() : view == null || view.rank(name) < 0;
      if (seen.add(name) && isWritten) {
        written += SHARE * f.getReader().length();
      }
    }
    seen.retainAll(names);
    hasSeen = true;
    written = Math.min(written, 2 * SHARE * ViewPlan.bytes(live));
  }

  /** How many bytes may be read because scans have lost as much. */
  long lost() {
    return Math.max(FREE, lost.sum());
  }

  /** How many bytes may be read at all. */
  synchronized long all() {
    return Math.max(FREE, lost.sum() + (long) written);
  }

  /** Takes off what has been read. */
  synchronized void spend(long bytes) {
    if (bytes > FREE) {
      written -= Math.max(0, bytes - lost.sum());
    }
    lost.reset();
  }
}
