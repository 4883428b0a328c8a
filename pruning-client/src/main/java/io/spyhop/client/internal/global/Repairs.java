package io.spyhop.client.internal.global;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the base table of entries that nothing seems to be behind: online repair. Regions look
 * again before they delete, so that a hint may be wrong, late or lost. Thread-safe.
 *
 * <p>To look again and to delete costs servers more than to read the row behind an entry once, and
 * flushes and compactions find most entries anyway. So an entry is told of when it is met for the
 * second time, and then not again for a while; what several reads find goes out together.
 */
public final class Repairs {
  /** How long hints wait for others. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** How long an entry that was met is remembered. */
  public static final Duration MEMORY = Duration.ofMinutes(1);

  /** The hints that wait, and those that are remembered, in bytes each. */
  private static final long MOST_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);

  private final IndexCalls calls;
  private final ScanPool pool;

  /** Entries that were met: whether they were told of. */
  private final Cache<Hint, Boolean> met =
      Caffeine.newBuilder()
          .maximumWeight(MOST_BYTES)
          .weigher((Hint h, Boolean any) -> (int) h.entry.bytes())
          .expireAfterWrite(MEMORY)
          .build();

  /** By index. Guarded by this. */
  private Map<IndexDefinition, List<Entry>> waiting = new HashMap<>();

  /** Of those that wait. Guarded by this. */
  private long bytes;

  private record Hint(long incarnation, Entry entry) {}

  /** Hints go out in threads of the pool. */
  public Repairs(IndexCalls calls, ScanPool pool) {
    this.calls = calls;
    this.pool = pool;
  }

  /**
   * Has entries looked at soon that were met before, if there are any, there is room, and a thread
   * can be had.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  public void offer(IndexDefinition index, List<Entry> entries) {
    if (!entries.isEmpty() && add(index, entries)) {
      pool.after(PAUSE, this::send);
    }
  }

  /** Whether they are the first that wait. */
  private synchronized boolean add(IndexDefinition index, List<Entry> entries) {
    boolean first = waiting.isEmpty();
    for (Entry e : entries) {
      Hint hint = new Hint(index.incarnation(), e);
      Boolean told = met.getIfPresent(hint);
      if (told == null) {
        met.put(hint, false);
      } else if (!told && bytes < MOST_BYTES) {
        met.put(hint, true);
        waiting.computeIfAbsent(index, i -> new ArrayList<>()).add(e);
        bytes += e.bytes();
      }
    }
    return first && !waiting.isEmpty();
  }

  /** Hints for which no thread can be had are lost. */
  private void send() {
    if (!pool.offer(this::tell)) {
      LOG.debug("{} indexes have entries that are left for later repair", taken().size());
    }
  }

  private synchronized Map<IndexDefinition, List<Entry>> taken() {
    Map<IndexDefinition, List<Entry>> all = waiting;
    waiting = new HashMap<>();
    bytes = 0;
    return all;
  }

  /** Has entries looked at; waits until the regions know. */
  private void tell() {
    taken()
        .forEach(
            (index, entries) -> {
              try {
                calls.repair(index, entries);
              } catch (IOException | RuntimeException e) {
                LOG.debug("{} entries of index {} are left for repair", entries.size(), index, e);
              }
            });
  }
}
