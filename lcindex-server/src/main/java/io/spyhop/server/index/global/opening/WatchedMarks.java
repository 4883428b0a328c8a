package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks of one index table whose openings last, as long as the region that has them is open
 * here. A server takes its mark back before it closes a region; what it could not take back because
 * it died, ZooKeeper tells; what it could not take back because the index table was away,
 * hbase:meta tells, which is asked once for each mark and then now and then. Thread-safe.
 */
public final class WatchedMarks {
  /**
   * How long a mark counts after hbase:meta has confirmed it, whichever servers do not answer.
   * There a region is closing before its server is told to close it, so a server that has tried for
   * longer than that to take its mark back need not try on.
   */
  public static final Duration LEASE = Duration.ofSeconds(20);

  /** How long what hbase:meta said of marks is not asked again. */
  private static final Duration TRUSTED = LEASE.dividedBy(2);

  /** How long hbase:meta is left alone after it did not answer. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /** How long a mark that hbase:meta did not confirm is not asked for again, at first and later. */
  private static final Duration FIRST_REFUSAL = Duration.ofMillis(50);

  private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(WatchedMarks.class);

  private final LiveServers servers;
  private final IoFunction<List<OpeningMark>, Set<OpeningMark>> meta;
  private final LongSupplier nanos;
  private volatile Known known;
  private volatile long silentUntil;

  /**
   * An answer of hbase:meta about marks.
   *
   * @param confirmed those of openings that last
   * @param at when all of them were confirmed, or before
   */
  private record Known(Set<Key> confirmed, long at, Map<Key, Refusal> refused) {}

  /**
   * A mark that was not confirmed, which may be a matter of moments while a region is new.
   *
   * @param until when it is asked for again
   * @param nanos how long that is
   */
  private record Refusal(long until, long nanos) {}

  /** Identifies a mark: another opening of the region has another number. */
  private record Key(String region, long number) {
    static Key of(OpeningMark mark) {
      return new Key(mark.region(), mark.number());
    }
  }

  /**
   * @param meta finds the marks of the openings that regions have now; all others open nowhere
   * @param nanos a clock that only goes forwards
   */
  public WatchedMarks(
      LiveServers servers,
      IoFunction<List<OpeningMark>, Set<OpeningMark>> meta,
      LongSupplier nanos) {
    this.servers = servers;
    this.meta = meta;
    this.nanos = nanos;
    this.silentUntil = nanos.getAsLong();
    this.known = new Known(Set.of(), silentUntil, Map.of());
  }

  /**
   * The marks of regions that are open now, watched. Where hbase:meta does not answer, those that
   * it has not confirmed within {@link #LEASE} are not among them.
   *
   * @throws IOException if it cannot be told which servers live
   */
  public Set<OpeningMark> among(List<OpeningMark> marks) throws IOException {
    Known before = known;
    long now = nanos.getAsLong();
    boolean old = now - before.at > TRUSTED.toNanos();
    Set<OpeningMark> watched = new HashSet<>();
    List<OpeningMark> doubtful = new ArrayList<>();
    for (OpeningMark m : marks) {
      if (m.isOpen() && servers.isAlive(m.server())) {
        if (before.confirmed.contains(Key.of(m))) {
          watched.add(m);
        } else if (mayAsk(before.refused.get(Key.of(m)), now)) {
          doubtful.add(m);
        }
      }
    }
    List<OpeningMark> asked = new ArrayList<>(doubtful);
    if (old) {
      asked.addAll(watched);
    }
    if (!asked.isEmpty() && now - silentUntil >= 0) {
      try {
        Set<OpeningMark> present = meta.apply(asked);
        asked.forEach(watched::remove);
        watched.addAll(present);
        learn(before, old ? now : before.at, watched, refused(before, asked, present));
        return watched;
      } catch (IOException e) {
        silentUntil = nanos.getAsLong() + SILENCE.toNanos();
        LOG.warn("hbase:meta does not say where regions are open; an index may seem unbuilt", e);
      }
    }
    return nanos.getAsLong() - before.at <= LEASE.toNanos() ? watched : Set.of();
  }

  /**
   * Takes over what hbase:meta has said, but for what it has confirmed to others since this was
   * asked: that came later, and a refusal of before must not hide it.
   *
   * @param before what was known when it was asked
   */
  private synchronized void learn(
      Known before, long at, Set<OpeningMark> watched, Map<Key, Refusal> refused) {
    Set<Key> meanwhile = new HashSet<>(known.confirmed);
    meanwhile.removeAll(before.confirmed);
    Set<Key> confirmed = keys(watched);
    confirmed.addAll(meanwhile);
    Map<Key, Refusal> still = new HashMap<>(refused);
    still.keySet().removeAll(meanwhile);
    known = new Known(Set.copyOf(confirmed), at, Map.copyOf(still));
  }

  private static boolean mayAsk(Refusal last, long now) {
    return last == null || now - last.until >= 0;
  }

  private static Set<Key> keys(Set<OpeningMark> marks) {
    Set<Key> keys = new HashSet<>();
    marks.forEach(m -> keys.add(Key.of(m)));
    return keys;
  }

  /** Those that may be asked for by now, and were not, are no more. */
  private Map<Key, Refusal> refused(
      Known before, List<OpeningMark> asked, Set<OpeningMark> present) {
    long now = nanos.getAsLong();
    Map<Key, Refusal> refused = new HashMap<>(before.refused);
    refused.values().removeIf(r -> mayAsk(r, now));
    for (OpeningMark m : asked) {
      Key key = Key.of(m);
      if (present.contains(m)) {
        refused.remove(key);
      } else {
        Refusal last = before.refused.get(key);
        long wait = last == null ? FIRST_REFUSAL.toNanos() : 2 * last.nanos;
        wait = Math.min(wait, LONGEST_REFUSAL.toNanos());
        refused.put(key, new Refusal(now + wait, wait));
      }
    }
    return refused;
  }
}
