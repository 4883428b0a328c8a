package io.spyhop.server.index.local;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.server.index.local.column.RowPairs;
import java.io.IOException;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The rows that an HFile has in common with others of its store: found once for two files, as files
 * do not change, and kept while both are there. Thread-safe.
 */
public final class SharedRows {
  private final Object finding;
  private final Map<SharedRows, RowPairs> known = new WeakHashMap<>();

  /**
   * @param finding of all HFiles of a store one, so that none are looked for twice
   */
  SharedRows(Object finding) {
    this.finding = finding;
  }

  /**
   * The rows that another HFile has, too.
   *
   * @param search finds them, if they are not known
   */
  RowPairs with(SharedRows other, IoSupplier<RowPairs> search) throws IOException {
    RowPairs pairs = known(other);
    if (pairs != null) {
      return pairs;
    }
    synchronized (finding) {
      pairs = known(other);
      if (pairs == null) {
        pairs = search.get();
        add(other, pairs);
        other.add(this, pairs.mirrored());
      }
      return pairs;
    }
  }

  private synchronized RowPairs known(SharedRows other) {
    return known.get(other);
  }

  private synchronized void add(SharedRows other, RowPairs pairs) {
    known.put(other, pairs);
  }

  /** How many there are, as far as they were looked for. */
  public synchronized long count() {
    return known.values().stream().mapToLong(RowPairs::count).sum();
  }
}
