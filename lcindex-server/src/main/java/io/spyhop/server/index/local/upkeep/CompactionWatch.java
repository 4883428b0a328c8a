package io.spyhop.server.index.local.upkeep;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;

/**
 * Records which HFiles of a region come from compactions that no foreign observer could change.
 * Whether one could is asked when the compaction begins (correctness rule 32): when index files are
 * merged the observer may be gone. Thread-safe.
 */
public final class CompactionWatch {
  /** Of older compactions the HFiles are read, not merged. */
  static final int MAX_HFILES = 1_000;

  private final BooleanSupplier watchedByOthers;
  private final Set<Object> running = Collections.newSetFromMap(new WeakHashMap<>());
  private final Set<String> faithful = new LinkedHashSet<>();

  /**
   * @param watchedByOthers whether foreign observers watch the region
   */
  CompactionWatch(BooleanSupplier watchedByOthers) {
    this.watchedByOthers = watchedByOthers;
  }

  /**
   * A compaction is about to read.
   *
   * @param request stands for it
   */
  public synchronized void begins(Object request) {
    if (!watchedByOthers.getAsBoolean()) {
      running.add(request);
    }
  }

  /** A compaction has made an HFile, which the store does not have yet. */
  public synchronized void made(Object request, String hfile) {
    if (!running.remove(request)) {
      return;
    }
    faithful.add(hfile);
    if (faithful.size() > MAX_HFILES) {
      Iterator<String> oldest = faithful.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Whether an HFile holds what the compaction that made it read, but for what HBase dropped. */
  synchronized boolean isFaithful(String hfile) {
    return faithful.contains(hfile);
  }
}
