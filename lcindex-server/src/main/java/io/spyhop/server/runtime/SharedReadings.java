package io.spyhop.server.runtime;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Shares readings of things that many threads want to be read again. Of each thing there is one
 * reading at a time; a thread takes a reading that is young enough for it, or reads. So it costs
 * little to ask often, and none gets what was read too early.
 *
 * <p>Callers who may not change a thing have a ration each: {@link #BURST} readings at once, and
 * one each {@link #PACE} behind these. What goes beyond waits for the next one, and takes whatever
 * is read meanwhile, in any thread. Thread-safe.
 *
 * @param <K> what tells things apart
 * @param <T> what is read
 */
final class SharedReadings<K, T> {
  private static final Duration PACE = Duration.ofMillis(100);
  private static final int BURST = 10;

  /** How many threads of a caller wait for a thing at most, as each of them is a handler. */
  private static final int MOST_WAITING = 10;

  private final LongSupplier nanoTime;

  /** Of what is being read, or was read a short while ago. */
  private final Map<K, Place<T>> places = new ConcurrentHashMap<>();

  /** Those who read one thing or wait to. */
  private static final class Place<T> {
    /** Written by the map's atomic methods alone. */
    private int users;

    /** What was read last, null if nothing was; guarded by the place's lock. */
    private T last;

    /** When that reading began; guarded by the place's lock. */
    private long begun;

    /** By callers; guarded by the place's lock. */
    private final Map<String, Ration> rations = new HashMap<>();

    private boolean serves(Terms terms) {
      return last != null && begun - terms.after() > 0;
    }
  }

  /** The readings that a caller may still ask for. Guarded by the place's lock. */
  private static final class Ration {
    /** When all of its readings so far would have begun, had they come at the pace. */
    private long paced;

    private int waiting;

    Ration(long now) {
      this.paced = now;
    }

    /** How long until a reading may begin; 0 or less if one may. */
    long untilNext(long now) {
      return paced - (BURST - 1) * PACE.toNanos() - now;
    }

    void take(long now) {
      paced = (paced - now < 0 ? now : paced) + PACE.toNanos();
    }
  }

  /**
   * The terms on which a caller takes a reading: its age, and whether it is rationed.
   *
   * @param after nanoseconds: what was read must have been begun to be read later than that
   * @param rationed the caller's name; empty if its readings are not rationed
   */
  record Terms(long after, Optional<String> rationed) {}

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  SharedReadings(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Terms of who needs what is there now. */
  Terms now() {
    return new Terms(nanoTime.getAsLong(), Optional.empty());
  }

  /**
   * Reads, or takes a reading that is young enough.
   *
   * @param taker is given what was read before anybody else's taker is given what was read later
   * @throws RegionTooBusyException if too many threads of the caller wait already; it may be tried
   *     again
   * @throws IOException if it cannot be read; each that waits tries by itself
   */
  void read(K key, Terms terms, IoFunction<K, T> reader, Consumer<T> taker) throws IOException {
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
        if (!place.serves(terms) && mayRead(key, place, terms)) {
          long begun = nanoTime.getAsLong();
          place.last = reader.apply(key);
          place.begun = begun;
          place.notifyAll();
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

  /**
   * Waits until the caller may read, or others have.
   *
   * @return false if there is a reading that serves
   */
  private boolean mayRead(K key, Place<T> place, Terms terms) throws IOException {
    if (terms.rationed().isEmpty()) {
      return true;
    }
    String caller = terms.rationed().get();
    Ration ration = place.rations.computeIfAbsent(caller, c -> new Ration(nanoTime.getAsLong()));
    while (!place.serves(terms)) {
      long now = nanoTime.getAsLong();
      long wait = ration.untilNext(now);
      if (wait <= 0) {
        ration.take(now);
        return true;
      }
      await(key, place, ration, wait);
    }
    return false;
  }

  @SuppressWarnings("WaitNotInLoop") // The loop is in mayRead().
  private void await(K key, Place<T> place, Ration ration, long nanos) throws IOException {
    if (ration.waiting >= MOST_WAITING) {
      throw new RegionTooBusyException(
          ration.waiting + " calls wait for the definitions of " + key + " to be read again");
    }
    ration.waiting++;
    try {
      TimeUnit.NANOSECONDS.timedWait(place, nanos);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting to read " + key, e);
    } finally {
      ration.waiting--;
    }
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
