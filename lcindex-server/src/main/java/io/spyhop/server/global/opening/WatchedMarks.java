package io.spyhop.server.global.opening;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which marks of one index table stand for openings that last, as long as the region that has them
 * is open here. A server takes its mark back before it closes a region; what it could not take back
 * because it died, ZooKeeper tells; what it could not take back because the index table was away,
 * hbase:meta tells, which is asked once for each mark and then now and then. Thread-safe.
 */
public final class WatchedMarks {
  /** How long what hbase:meta said of marks is not asked again. */
  private static final Duration TRUSTED = Duration.ofSeconds(10);

  /** How long hbase:meta is left alone after it did not answer. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(WatchedMarks.class);

  private final LiveServers servers;
  private final MetaOpenings meta;
  private final LongSupplier nanos;
  private volatile Confirmed confirmed = new Confirmed(Set.of(), 0);
  private volatile long silentUntil;

  /**
   * Marks that hbase:meta has confirmed.
   *
   * @param at when all of them were
   */
  private record Confirmed(Set<Key> marks, long at) {}

  /** What a mark is known by; another opening of the region has another number. */
  private record Key(String region, long number) {
    static Key of(OpeningMark mark) {
      return new Key(mark.region(), mark.number());
    }
  }

  /**
   * @param nanos a clock that only goes forwards
   */
  public WatchedMarks(LiveServers servers, MetaOpenings meta, LongSupplier nanos) {
    this.servers = servers;
    this.meta = meta;
    this.nanos = nanos;
    this.silentUntil = nanos.getAsLong();
  }

  /**
   * The marks of regions that are open now, watched. Where hbase:meta does not answer, those that
   * it has not confirmed are not among them.
   *
   * @throws IOException if it cannot be told which servers live
   */
  public Set<OpeningMark> among(List<OpeningMark> marks) throws IOException {
    Confirmed before = confirmed;
    long now = nanos.getAsLong();
    boolean old = now - before.at > TRUSTED.toNanos();
    Set<OpeningMark> watched = new HashSet<>();
    List<OpeningMark> doubtful = new ArrayList<>();
    for (OpeningMark m : marks) {
      if (m.isOpen() && servers.isAlive(m.server())) {
        (before.marks.contains(Key.of(m)) ? watched : doubtful).add(m);
      }
    }
    boolean nothingToAsk = doubtful.isEmpty() && (!old || watched.isEmpty());
    if (nothingToAsk || now - silentUntil < 0) {
      return watched;
    }
    List<OpeningMark> asked = new ArrayList<>(doubtful);
    if (old) {
      asked.addAll(watched);
    }
    try {
      Set<OpeningMark> present = meta.present(asked);
      if (old) {
        watched.clear();
      }
      watched.addAll(present);
    } catch (IOException e) {
      silentUntil = nanos.getAsLong() + SILENCE.toNanos();
      LOG.warn("hbase:meta does not say where regions are open; an index may seem unbuilt", e);
    }
    Set<Key> keys = new HashSet<>();
    watched.forEach(m -> keys.add(Key.of(m)));
    confirmed = new Confirmed(Set.copyOf(keys), old ? now : before.at);
    return watched;
  }
}
