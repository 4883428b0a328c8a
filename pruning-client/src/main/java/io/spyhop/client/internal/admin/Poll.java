package io.spyhop.client.internal.admin;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Asks again and again until an answer will do or time is up. Thread-safe if its parts are. */
public final class Poll {
  /** Lets time pass. */
  @FunctionalInterface
  public interface Sleeper {
    /** Sleeps. */
    void sleep(Duration time) throws InterruptedException;
  }

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private final Sleeper sleeper;

  /** A poll by that clock, in nanoseconds from any origin, and that sleeper. */
  public Poll(LongSupplier nanoTime, Sleeper sleeper) {
    this.nanoTime = nanoTime;
    this.sleeper = sleeper;
  }

  /** A poll in real time. */
  public static Poll inRealTime() {
    return new Poll(System::nanoTime, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()));
  }

  /**
   * Asks at once and then after each step, or after as long as the answer took, up to five seconds,
   * if that is more: of very many regions answers take their time.
   *
   * @param reading is told how much of the limit is left
   * @return the first answer that will do, or the last one before the time was up
   * @throws IOException what the reading throws
   * @throws InterruptedIOException if the thread was interrupted between readings; its flag stays
   *     set
   */
  public <T> T until(
      Duration limit, Duration step, IoFunction<Duration, T> reading, Predicate<T> willDo)
      throws IOException {
    long start = nanoTime.getAsLong();
    long asked = start;
    T answer = reading.apply(limit);
    long now = nanoTime.getAsLong();
    while (!willDo.test(answer) && now - start < limit.toNanos()) {
      long pause = Math.max(step.toNanos(), Math.min(now - asked, LONGEST_PAUSE.toNanos()));
      sleep(Duration.ofNanos(Math.min(pause, limit.toNanos() - (now - start))));
      asked = nanoTime.getAsLong();
      answer = reading.apply(limit.minusNanos(asked - start));
      now = nanoTime.getAsLong();
    }
    return answer;
  }

  /** The same for readings that take no time. */
  public <T> T until(Duration limit, Duration step, IoSupplier<T> reading, Predicate<T> willDo)
      throws IOException {
    return until(limit, step, left -> reading.get(), willDo);
  }

  private void sleep(Duration time) throws InterruptedIOException {
    try {
      sleeper.sleep(time);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting", e);
    }
  }
}
