package io.spyhop.bench.pruning;

import io.spyhop.client.TableStatistics;

/**
 * Counts what pruning did in a client, over some of its tables.
 *
 * @param regionsPruned regions that queries left out
 * @param regionsRead regions that queries read
 * @param memstoresSkipped of these, those whose memstore was known to be empty
 * @param rounds synchronisations
 * @param calls requests to servers in them
 * @param roundNanos how long they took together
 * @param bytes of their requests and answers
 * @param cacheBytes the cache's size by the paper's formula
 */
record Counters(
    long regionsPruned,
    long regionsRead,
    long memstoresSkipped,
    long rounds,
    long calls,
    long roundNanos,
    long bytes,
    long cacheBytes) {
  static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0, 0, 0);

  static Counters of(TableStatistics s) {
    return new Counters(
        s.regionsPruned(),
        s.regionsRead(),
        s.memstoresSkipped(),
        s.synchronisations(),
        s.calls(),
        s.synchronisationTime().toNanos(),
        s.bytesSent() + s.bytesReceived(),
        s.cacheBytes());
  }

  Counters plus(Counters o) {
    return new Counters(
        regionsPruned + o.regionsPruned,
        regionsRead + o.regionsRead,
        memstoresSkipped + o.memstoresSkipped,
        rounds + o.rounds,
        calls + o.calls,
        roundNanos + o.roundNanos,
        bytes + o.bytes,
        cacheBytes + o.cacheBytes);
  }

  /** What happened since; the cache's size is as it is now. */
  Counters since(Counters o) {
    return new Counters(
        regionsPruned - o.regionsPruned,
        regionsRead - o.regionsRead,
        memstoresSkipped - o.memstoresSkipped,
        rounds - o.rounds,
        calls - o.calls,
        roundNanos - o.roundNanos,
        bytes - o.bytes,
        cacheBytes);
  }

  /** The mean time of a synchronisation. */
  double millisPerRound() {
    return rounds == 0 ? 0 : roundNanos / 1e6 / rounds;
  }

  /** The mean size of a synchronisation. */
  double bytesPerRound() {
    return rounds == 0 ? 0 : (double) bytes / rounds;
  }
}
