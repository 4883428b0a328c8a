package io.spyhop.cli.console;

import java.io.Closeable;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a cluster again and again, as long as a browser asks: once, however many browsers there
 * are, and not at all while there is none. Thread-safe.
 */
final class Watch implements Closeable {
  /** How long a browser that asked counts as one that watches. */
  private static final Duration INTEREST = Duration.ofSeconds(30);

  /** Of so many looks one is thorough. */
  private static final int THOROUGH = 6;

  private static final long TICK_MILLIS = 250;
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** Looks at the cluster. */
  @FunctionalInterface
  interface Looking {
    /**
     * Looks once; called by one thread at a time.
     *
     * @param thoroughly whether to look, too, at what takes longer
     * @throws InterruptedIOException if the thread is to end
     */
    Snapshot look(long at, long everyMs, boolean thoroughly) throws InterruptedIOException;
  }

  private final Looking looking;
  private final long everyMillis;
  private final LongSupplier clock;
  private final ScheduledExecutorService thread;
  private final History history = new History();
  private volatile Snapshot latest;
  private volatile List<Snapshot.Sample> hour = List.of();

  /** When the look that goes on began; 0 while none does. */
  private volatile long lookingSince;

  private volatile long wantedAt;
  private volatile boolean wanted;
  private long lookedAt;
  private long looks;

  /**
   * @param every how often to look
   * @param clock milliseconds since the epoch
   * @param thread looks; it is shut down with this
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a tick lets nothing out
  Watch(Looking looking, Duration every, LongSupplier clock, ScheduledExecutorService thread) {
    this.looking = looking;
    this.everyMillis = every.toMillis();
    this.clock = clock;
    this.thread = thread;
    this.latest = Snapshot.none(everyMillis);
    thread.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What was seen last, with its age, at once; who asks is one who watches. */
  Snapshot latest() {
    long now = clock.getAsLong();
    wantedAt = now;
    wanted = true;
    Snapshot seen = latest;
    long since = lookingSince;
    return seen.served(
        seen.at() == 0 ? 0 : now - seen.at(), since == 0 ? null : Long.valueOf(now - since), hour);
  }

  private void tick() {
    long now = clock.getAsLong();
    boolean watched = wanted && now - wantedAt <= INTEREST.toMillis();
    if (!watched || looks > 0 && now - lookedAt < everyMillis) {
      return;
    }
    lookingSince = now;
    try {
      Snapshot seen = looking.look(now, everyMillis, looks % THOROUGH == 0);
      hour = history.add(seen);
      latest = seen;
    } catch (InterruptedIOException e) {
      LOG.debug("Looks no more", e);
      thread.shutdown();
    } catch (RuntimeException e) {
      LOG.error("A look at the cluster failed; the page shows the last one", e);
    } finally {
      lookingSince = 0;
    }
    looks++;
    lookedAt = clock.getAsLong();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
