package io.spyhop.client.internal.prune;

import java.util.concurrent.atomic.LongAdder;

/** Counts of pruning's work for one table and client since it began. Thread-safe. */
public final class PruningCounters {
  /** Queries that statistics could prune, as far as their predicates say. */
  public final LongAdder queries = new LongAdder();

  /** Regions that queries left out. */
  public final LongAdder regionsPruned = new LongAdder();

  /** Regions that such queries read. */
  public final LongAdder regionsRead = new LongAdder();

  /** Of the regions that were read, those whose memstore was known to be empty. */
  public final LongAdder memstoresSkipped = new LongAdder();

  /** Decisions that were made on what the cache had, without a request. */
  public final LongAdder hits = new LongAdder();

  /** Decisions that needed a request. */
  public final LongAdder misses = new LongAdder();

  /** Early decisions that stood after the request, as nothing had changed. */
  public final LongAdder confirmed = new LongAdder();

  /** Rounds of requests. */
  public final LongAdder rounds = new LongAdder();

  /** Regions that were asked in all rounds. */
  public final LongAdder regionsAsked = new LongAdder();

  /** Calls to servers in all rounds, as the regions were listed. */
  public final LongAdder calls = new LongAdder();

  /** Bytes of requests. */
  public final LongAdder bytesSent = new LongAdder();

  /** Bytes of answers. */
  public final LongAdder bytesReceived = new LongAdder();

  /** Nanoseconds that all rounds took. */
  public final LongAdder roundNanos = new LongAdder();

  /**
   * Counts a call.
   *
   * @param last whether it was its round's last one
   * @param nanos since the round began
   */
  void called(boolean last, long nanos) {
    calls.increment();
    if (last) {
      rounds.increment();
      roundNanos.add(nanos);
    }
  }
}
