package io.spyhop.server.job;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Readings of things that many threads want to be read again. Of each thing there is one reading at
 * a time; who waits for his turn meanwhile takes a reading that began after he came. Nothing is
 * remembered when nobody reads or waits. Thread-safe.
 *
 * @param <K> what tells things apart
 * @param <T> what is read
 */
final class SharedReadings<K, T> {
  /** Of what is being read. */
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

    /** The number of the last reading that has begun; written under the place's lock. */
    private volatile long begun;

    /** What was read last; guarded by the place's lock. */
    private T last;

    /** The number of that reading; guarded by the place's lock. */
    private long number;
  }

  /**
   * Reads, or takes a reading that began after this call.
   *
   * @param taker is given what was read before anybody else's taker is given what was read later
   * @throws IOException if it cannot be read; who waits tries himself
   */
  void read(K key, Reader<K, T> reader, Consumer<T> taker) throws IOException {
    Place<T> place =
        places.compute(
            key,
            (k, there) -> {
              Place<T> p = there == null ? new Place<>() : there;
              p.users++;
              return p;
            });
    try {
      long before = place.begun;
      synchronized (place) {
        if (place.number <= before) {
          long number = place.begun + 1;
          place.begun = number;
          place.last = reader.read(key);
          place.number = number;
        }
        taker.accept(place.last);
      }
    } finally {
      places.computeIfPresent(key, (k, p) -> --p.users == 0 ? null : p);
    }
  }

  /** How many things are being read. */
  int size() {
    return places.size();
  }
}
