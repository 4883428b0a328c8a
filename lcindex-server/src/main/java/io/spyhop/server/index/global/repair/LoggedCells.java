package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hbase.thirdparty.com.google.common.hash.BloomFilter;
import org.apache.hbase.thirdparty.com.google.common.hash.PrimitiveSink;

/**
 * The cells of one open region that its log may have, and neither its memstores nor its HFiles: a
 * compaction within a memstore has dropped them. A server that is lost leaves the log, and they are
 * stored again. Thread-safe.
 *
 * <p>It is kept by generations. A flush begins one before it takes its snapshot, and waits then for
 * the writes under way, while what is being compacted in memory counts no more: so what was dropped
 * in an earlier generation had gone before the snapshot, and once the flush has ended, nobody reads
 * the log of that time for the store again.
 *
 * <p>What was dropped is kept in Bloom filters, 120 KB for each generation in which something was.
 * Beyond their size they name what was not dropped, too, which then waits for a flush.
 */
public final class LoggedCells {
  private static final int EXPECTED = 100_000;
  private static final double WRONG = 0.01;
  private static final int MAX_FILTERS = 4;

  private final Map<String, Family> families = new ConcurrentHashMap<>();
  private final ThreadLocal<Flush> flushes = new ThreadLocal<>();
  private volatile long generation = 1;

  /** A flush that the thread makes. */
  private record Flush(long generation, Set<String> families) {}

  /** The cells that compactions have dropped from one family's memstore. */
  private static final class Family {
    private final NavigableMap<Long, BloomFilter<Entry>> dropped = new ConcurrentSkipListMap<>();

    /** The last generation in which nobody knows what was; changes under the family's lock. */
    private volatile long unknown;

    /** What the last flush that has ended began; changes under the family's lock. */
    private volatile long flushed = 1;

    BloomFilter<Entry> filter(long generation) {
      BloomFilter<Entry> filter = dropped.get(generation);
      return filter == null ? begun(generation) : filter;
    }

    /** Where flushes leave the family alone, what they do not end becomes one. */
    private synchronized BloomFilter<Entry> begun(long generation) {
      if (dropped.size() >= MAX_FILTERS && !dropped.containsKey(generation)) {
        Map.Entry<Long, BloomFilter<Entry>> last = dropped.lastEntry();
        dropped.put(Math.max(last.getKey(), generation), last.getValue());
        if (last.getKey() < generation) {
          dropped.remove(last.getKey());
        }
        return last.getValue();
      }
      return dropped.computeIfAbsent(
          generation, g -> BloomFilter.create(LoggedCells::put, EXPECTED, WRONG));
    }

    synchronized void lost(long generation) {
      unknown = Math.max(unknown, generation);
    }

    synchronized void ended(long generation) {
      flushed = Math.max(flushed, generation);
      dropped.headMap(flushed).clear();
    }

    boolean isLogged(Entry entry) {
      return unknown >= flushed || dropped.values().stream().anyMatch(f -> f.mightContain(entry));
    }
  }

  private static void put(Entry entry, PrimitiveSink to) {
    to.putLong(entry.timestamp()).putBytes(entry.row()).putBytes(entry.valueKey());
  }

  private Family of(String family) {
    return families.computeIfAbsent(family, f -> new Family());
  }

  /** A cell is about to be dropped from memory. */
  void dropped(String family, Entry entry) {
    of(family).filter(generation).put(entry);
  }

  /** Nobody knows what is about to be dropped from memory. */
  void lost(String family) {
    of(family).lost(generation);
  }

  /** Whether a cell that is not stored may be in the log. */
  boolean mayHave(String family, Entry entry) {
    Family logged = families.get(family);
    return logged != null && logged.isLogged(entry);
  }

  /** The present generation, for {@link #isOver}. */
  long generation() {
    return generation;
  }

  /** Whether a flush of the family that began after a generation has ended. */
  boolean isOver(String family, long number) {
    return of(family).flushed > number;
  }

  /** The thread is about to flush; it has taken no snapshot. */
  void flushing() {
    synchronized (this) {
      generation++;
      flushes.set(new Flush(generation, new HashSet<>()));
    }
  }

  /** The thread's flush has made a file of a family. */
  void written(String family) {
    Flush flush = flushes.get();
    if (flush != null) {
      flush.families.add(family);
    }
  }

  /** The thread's flush has committed. */
  void flushed() {
    Flush flush = flushes.get();
    flushes.remove();
    if (flush != null) {
      flush.families.forEach(f -> of(f).ended(flush.generation));
    }
  }
}
