package io.spyhop.server.access;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Descriptors of base tables for servers that have regions of their index tables alone. They are in
 * HBase's file system, and asked for by every query: one thread of a server at a time reads one,
 * every few seconds, and the others go by what was read before, so that a slow file system holds no
 * more than one handler for each table. Thread-safe.
 */
public final class BaseDescriptors {
  /** How long a descriptor is not read again. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  /** How long it is believed while another thread reads it again. */
  private static final Duration BELIEVED = Duration.ofSeconds(30);

  /** How long one who has nothing to go by waits for another's reading. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final IoFunction<TableName, TableDescriptor> reader;
  private final LongSupplier nanos;
  private final Map<Key, Place> places = new ConcurrentHashMap<>();

  /** Another table of the same name has other indexes. */
  private record Key(TableName table, String incarnation) {}

  private record Known(TableDescriptor base, long nanos) {}

  private static final class Place {
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Known known;
  }

  /**
   * Descriptors that are read when they are asked for.
   *
   * @param reader reads the stored descriptor, null if there is no such table
   * @param nanos a clock, as {@link System#nanoTime}
   */
  public BaseDescriptors(IoFunction<TableName, TableDescriptor> reader, LongSupplier nanos) {
    this.reader = reader;
    this.nanos = nanos;
  }

  /**
   * A table's descriptor of the last seconds; none if there is no such table, or another thread
   * reads it just now and none has for long.
   *
   * @param incarnation of the index for which it is asked: what an earlier table of the name was
   *     like counts for its own indexes alone
   * @throws IOException if it cannot be read
   */
  Optional<TableDescriptor> of(TableName table, String incarnation) throws IOException {
    Key key = new Key(table, incarnation);
    Place place = places.get(key);
    if (place == null) {
      places.values().removeIf(p -> p.known != null && !isYounger(p.known, BELIEVED));
      place = places.computeIfAbsent(key, k -> new Place());
    }
    if (isYounger(place.known, FRESH) || !isTurn(place)) {
      Known known = place.known;
      return isYounger(known, BELIEVED) ? Optional.of(known.base) : Optional.empty();
    }
    try {
      if (isYounger(place.known, FRESH)) {
        return Optional.of(place.known.base);
      }
      long begun = nanos.getAsLong();
      TableDescriptor read = reader.apply(table);
      if (read == null) {
        places.remove(key);
        return Optional.empty();
      }
      place.known = new Known(read, begun);
      return Optional.of(read);
    } finally {
      place.reading.unlock();
    }
  }

  private boolean isTurn(Place place) throws InterruptedIOException {
    if (isYounger(place.known, BELIEVED)) {
      return place.reading.tryLock();
    }
    try {
      return place.reading.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting for a descriptor", e);
    }
  }

  private boolean isYounger(Known known, Duration than) {
    return known != null && nanos.getAsLong() - known.nanos < than.toNanos();
  }
}
