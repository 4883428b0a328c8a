package io.spyhop.client.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Remembers an answer for a short time. Thread-safe; threads that find it outdated at the same time
 * wait for one of them to ask.
 */
public final class TimedCache<T> {
  private final Poll.Question<T> question;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;
  private T answer;
  private long askedAt;

  /**
   * @param question whose answer, never null, is remembered
   * @param maxAge for how long
   * @param nanoTime a clock in nanoseconds from any origin
   */
  public TimedCache(Poll.Question<T> question, Duration maxAge, LongSupplier nanoTime) {
    this.question = question;
    this.maxAgeNanos = maxAge.toNanos();
    this.nanoTime = nanoTime;
  }

  /** The remembered answer, or a new one if there is none or it is too old. */
  public synchronized T get() throws IOException {
    return answer == null || nanoTime.getAsLong() - askedAt > maxAgeNanos ? refresh() : answer;
  }

  /** A new answer, which is remembered. */
  public synchronized T refresh() throws IOException {
    long now = nanoTime.getAsLong();
    answer = question.ask();
    askedAt = now;
    return answer;
  }

  /** Forgets the answer: the next one who needs it asks. */
  public synchronized void outdate() {
    answer = null;
  }
}
