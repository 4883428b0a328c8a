package io.spyhop.server.index.local.upkeep;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Readings of things that many threads want to be read again. Of each thing there is one reading at
 * a time; whoever asks takes a reading that is young enough for him, or reads. So it costs little
 * to ask often, and nobody gets what was read too early. Thread-safe.
 *
 * @param <K> what tells things apart
 * @param <T> what is read
 */
final class SharedReadings<K, T> {
  private static final long SECOND = 1_000_000_000L;

  private final LongSupplier nanoTime;

  /** Of what is being read, or was read a short while ago. */
  private final Map<K, Place<T>> places = new ConcurrentHashMap<>();

  /** How a thing is read. */
  @FunctionalInterface
  interface Reader<K, T> {
    T read(K key) throws IOException;
  }

  /** Those who read one thing or wait to. */
  private static final class Place<T> {
    /** Written by the map's atomic methods alone. */
    private int users;

    /** What was read last, null if nothing was; guarded by the place's lock. */
    private T last;

    /** When that reading began; guarded by the place's lock. */
    private long begun;

    /** When the second began in which readings are counted; guarded by the place's lock. */
    private long second;

    /** How many readings began in it; guarded by the place's lock. */
    private int count;
  }

  /**
   * Whom readings are for.
   *
   * @param after nanoseconds: what was read must have been begun to be read later than that
   * @param most how many readings of a thing may begin in a second before this one is refused
   */
  record Terms(long after, int most) {}

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  SharedReadings(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Terms of who needs what is there now. */
  Terms now() {
    return new Terms(nanoTime.getAsLong(), Integer.MAX_VALUE);
  }

  /**
   * Reads, or takes a reading that is young enough.
   *
   * @param taker is given what was read before anybody else's taker is given what was read later
   * @throws RegionTooBusyException if there were too many readings for these terms; it may be tried
   *     again
   * @throws IOException if it cannot be read; who waits tries himself
   */
  void read(K key, Terms terms, Reader<K, T> reader, Consumer<T> taker) throws IOException {
    Place<T> place =
        places.compute(
            key,
            (k, there) -> {
              Place<T> p = there == null ? new Place<>() : there;
              p.users++;
              return p;
            });
    try {
      synchronized (place) {
        if (place.last == null || place.begun - terms.after() <= 0) {
          long begun = nanoTime.getAsLong();
          count(key, place, begun, terms.most());
          place.last = reader.read(key);
          place.begun = begun;
        }
        taker.accept(place.last);
      }
    } finally {
      places.computeIfPresent(
          key,
          (k, p) -> {
            p.users--;
            return p;
          });
    }
  }

  private void count(K key, Place<T> place, long begun, int most) throws RegionTooBusyException {
    if (begun - place.second >= SECOND || place.count == 0) {
      place.second = begun;
      place.count = 0;
    }
    if (place.count >= most) {
      throw new RegionTooBusyException(
          "the definitions of " + key + " were read " + place.count + " times within a second");
    }
    place.count++;
  }

  /** Forgets what nobody reads or waits for; to be called now and then. */
  void forget() {
    for (K key : places.keySet()) {
      places.computeIfPresent(key, (k, p) -> p.users == 0 ? null : p);
    }
  }

  /** How many things are remembered. */
  int size() {
    return places.size();
  }
}
